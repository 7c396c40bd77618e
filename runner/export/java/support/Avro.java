package streamwright;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;

/**
 * Avro: records are Map, arrays are List, int and long are Long, and enums are their symbols. A value of a union of
 * several types is an Sql.Union with Avro's name of its type.
 */
final class Avro {

    private static final GenericData PLAIN = new GenericData();

    private Avro() {
    }

    /** The serde of a schema. Records of other schemas are resolved to it. */
    @SuppressWarnings("unchecked")
    static <T> Serde<T> serde(String text, SchemaFrame frame) {
        Schema schema = new Schema.Parser().parse(text);
        GenericDatumWriter<Object> writer = new GenericDatumWriter<>(schema, PLAIN);
        Map<List<String>, GenericDatumReader<Object>> readers = new ConcurrentHashMap<>();
        return frame.serde(value -> {
            try {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
                writer.write(toAvro(schema, value), encoder);
                encoder.flush();
                return bytes.toByteArray();
            } catch (IOException | RuntimeException error) {
                throw error instanceof SerializationException ours ? ours : new SerializationException(error);
            }
        }, (written, indexes, data) -> {
            GenericDatumReader<Object> reader = readers.computeIfAbsent(written == null ? List.of(text) : written,
                texts -> new GenericDatumReader<>(parse(texts), schema, PLAIN));
            try {
                BinaryDecoder decoder = DecoderFactory.get()
                    .binaryDecoder(data.array(), data.arrayOffset() + data.position(), data.remaining(), null);
                Object value = reader.read(null, decoder);
                if (!decoder.isEnd()) {
                    throw new SerializationException("There are bytes after the Avro data.");
                }
                return (T) toValue(schema, value);
            } catch (IOException | AvroRuntimeException error) {
                throw new SerializationException(error);
            }
        });
    }

    /** The last schema. It may name those before it. */
    private static Schema parse(List<String> texts) {
        Schema.Parser parser = new Schema.Parser();
        Schema last = null;
        for (String text : texts) {
            last = parser.parse(text);
        }
        return last;
    }

    private static Object toAvro(Schema schema, Object value) {
        if (schema.getType() == Schema.Type.UNION) {
            return value == null && schema.isNullable() ? null : option(schema, value);
        }
        if (value == null) {
            if (schema.getType() == Schema.Type.NULL) {
                return null;
            }
            throw new SerializationException("Null is no " + schema.getFullName() + ".");
        }
        boolean isDecimal = schema.getLogicalType() instanceof LogicalTypes.Decimal;
        return switch (schema.getType()) {
            case BOOLEAN -> (Boolean) value;
            case LONG -> (Long) value;
            case STRING -> (String) value;
            case RECORD -> record(schema, (Map<?, ?>) value);
            case ARRAY -> ((Collection<?>) value).stream().map(each -> toAvro(schema.getElementType(), each))
                .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
            case MAP -> entries((Map<?, ?>) value, each -> toAvro(schema.getValueType(), each));
            case ENUM -> new GenericData.EnumSymbol(schema, symbol(schema, (String) value));
            case INT -> Math.toIntExact((Long) value);
            case FLOAT -> single(((Number) value).doubleValue());
            case DOUBLE -> ((Number) value).doubleValue();
            case BYTES -> ByteBuffer.wrap(isDecimal ? unscaled(schema, value).toByteArray() : (byte[]) value);
            case FIXED -> new GenericData.Fixed(schema, fixed(schema, value));
            default -> value;
        };
    }

    private static GenericRecord record(Schema schema, Map<?, ?> fields) {
        GenericRecord record = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
            boolean takesDefault = field.hasDefaultValue() && !fields.containsKey(field.name());
            record.put(field.pos(), takesDefault ? PLAIN.getDefaultValue(field)
                : toAvro(field.schema(), fields.get(field.name())));
        }
        return record;
    }

    /**
     * A value of a union of several types: as the type that its tag names, else as the first type that takes it. A
     * record that lacks members of a Map is tried last, because it would lose them.
     */
    private static Object option(Schema union, Object value) {
        List<Schema> options = union.getTypes().stream().filter(each -> each.getType() != Schema.Type.NULL).toList();
        if (options.size() == 1) {
            return toAvro(options.get(0), value);
        }
        Object content = value instanceof Sql.Union tagged ? tagged.value() : value;
        List<Schema> tried = options.stream()
            .filter(each -> value instanceof Sql.Union tagged && each.getFullName().equals(tagged.tag())).toList();
        if (tried.isEmpty()) {
            tried = options.stream().sorted(Comparator.comparing(each -> loses(each, content))).toList();
        }
        for (Schema option : tried) {
            try {
                if (mayHold(option, content)) {
                    return toAvro(option, content);
                }
            } catch (RuntimeException error) {
                continue; // the next type may take it
            }
        }
        throw new SerializationException(value + " is none of " + tried.stream().map(Schema::getFullName).toList() + ".");
    }

    /** A decimal wants exact digits, and they want a decimal. */
    private static boolean mayHold(Schema option, Object value) {
        boolean isDecimal = option.getLogicalType() instanceof LogicalTypes.Decimal;
        return value instanceof BigDecimal ? isDecimal : !isDecimal || value instanceof Long;
    }

    private static boolean loses(Schema option, Object value) {
        return option.getType() == Schema.Type.RECORD && value instanceof Map<?, ?> fields
            && fields.keySet().stream().anyMatch(name -> option.getField((String) name) == null);
    }

    private static float single(double value) {
        float single = (float) value;
        if (Float.isInfinite(single) && !Double.isInfinite(value)) {
            throw new SerializationException(value + " does not fit into a float of 32 bits.");
        }
        return single;
    }

    private static String symbol(Schema schema, String value) {
        if (!schema.hasEnumSymbol(value)) {
            throw new SerializationException(value + " is no symbol of " + schema.getFullName() + ".");
        }
        return value;
    }

    private static BigInteger unscaled(Schema schema, Object value) {
        LogicalTypes.Decimal type = (LogicalTypes.Decimal) schema.getLogicalType();
        BigDecimal number = new BigDecimal(value.toString()).setScale(type.getScale());
        if (number.precision() > type.getPrecision()) {
            throw new SerializationException(number + " does not fit into " + type.getPrecision() + " digits.");
        }
        return number.unscaledValue();
    }

    private static byte[] fixed(Schema schema, Object value) {
        ByteBuffer bytes = ByteBuffer.allocate(schema.getFixedSize());
        if (schema.getLogicalType() instanceof LogicalTypes.Decimal) {
            byte[] number = unscaled(schema, value).toByteArray();
            for (int at = number.length; at < bytes.capacity(); at++) {
                bytes.put((byte) (number[0] < 0 ? -1 : 0));
            }
            return bytes.put(number).array();
        }
        if (value instanceof String text) {
            UUID id = UUID.fromString(text);
            return bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).array();
        }
        if (value instanceof Map<?, ?> parts) {
            bytes.order(ByteOrder.LITTLE_ENDIAN);
            for (String part : List.of("months", "days", "milliseconds")) {
                bytes.putInt((int) (long) (Long) parts.get(part));
            }
            return bytes.array();
        }
        if (((byte[]) value).length != bytes.capacity()) {
            throw new SerializationException(schema.getFullName() + " has " + bytes.capacity() + " bytes.");
        }
        return (byte[]) value;
    }

    private static Object toValue(Schema schema, Object value) {
        if (value == null) {
            return null;
        }
        return switch (schema.getType()) {
            case UNION -> {
                Schema option = schema.getTypes().get(PLAIN.resolveUnion(schema, value));
                Object content = toValue(option, value);
                boolean hasOne = schema.getTypes().size() - (schema.isNullable() ? 1 : 0) == 1;
                yield hasOne ? content : new Sql.Union(option.getFullName(), content);
            }
            case RECORD -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                for (Schema.Field field : schema.getFields()) {
                    fields.put(field.name(), toValue(field.schema(), ((GenericRecord) value).get(field.pos())));
                }
                yield fields;
            }
            case ARRAY -> ((Collection<?>) value).stream().map(each -> toValue(schema.getElementType(), each))
                .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
            case MAP -> entries((Map<?, ?>) value, each -> toValue(schema.getValueType(), each));
            case INT -> (long) (Integer) value;
            case FLOAT -> (double) (Float) value;
            case BYTES -> {
                ByteBuffer buffer = ((ByteBuffer) value).duplicate();
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                yield schema.getLogicalType() instanceof LogicalTypes.Decimal ? decimal(schema, bytes) : bytes;
            }
            case FIXED -> fixedValue(schema, ((GenericFixed) value).bytes());
            case STRING, ENUM -> value.toString();
            default -> value;
        };
    }

    private static Object fixedValue(Schema schema, byte[] bytes) {
        String logical = schema.getLogicalType() == null ? schema.getProp("logicalType") : schema.getLogicalType().getName();
        if (schema.getLogicalType() instanceof LogicalTypes.Decimal) {
            return decimal(schema, bytes);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if ("uuid".equals(logical) && bytes.length == 16) {
            return new UUID(buffer.getLong(), buffer.getLong()).toString();
        }
        if ("duration".equals(logical) && bytes.length == 12) {
            buffer.order(ByteOrder.LITTLE_ENDIAN);
            return Sql.struct("months", buffer.getInt() & 0xFFFFFFFFL, "days", buffer.getInt() & 0xFFFFFFFFL,
                "milliseconds", buffer.getInt() & 0xFFFFFFFFL);
        }
        return bytes;
    }

    private static BigDecimal decimal(Schema schema, byte[] bytes) {
        return new BigDecimal(new BigInteger(bytes), ((LogicalTypes.Decimal) schema.getLogicalType()).getScale());
    }

    private static Map<String, Object> entries(Map<?, ?> map, java.util.function.UnaryOperator<Object> each) {
        Map<String, Object> entries = new LinkedHashMap<>();
        map.forEach((key, value) -> entries.put(key.toString(), each.apply(value)));
        return entries;
    }
}
