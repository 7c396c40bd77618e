package streamwright;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
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

/** Avro: records are Map, arrays are List, int and long are Long, and enums are their symbols. */
final class Avro {

    private static final GenericData PLAIN = new GenericData();

    private Avro() {
    }

    /** The serde of a schema. Records of other schemas are resolved to it. */
    @SuppressWarnings("unchecked")
    static <T> Serde<T> serde(String text, SchemaFrame frame) {
        Schema schema = new Schema.Parser().parse(text);
        GenericDatumWriter<Object> writer = new GenericDatumWriter<>(schema, PLAIN);
        Map<String, GenericDatumReader<Object>> readers = new ConcurrentHashMap<>();
        return frame.serde(value -> {
            try {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
                writer.write(toAvro(schema, value), encoder);
                encoder.flush();
                return bytes.toByteArray();
            } catch (IOException | ArithmeticException | ClassCastException | AvroRuntimeException error) {
                throw new SerializationException(error);
            }
        }, (written, data) -> {
            GenericDatumReader<Object> reader = readers.computeIfAbsent(written == null ? text : written,
                other -> new GenericDatumReader<>(new Schema.Parser().parse(other), schema, PLAIN));
            try {
                BinaryDecoder decoder = DecoderFactory.get()
                    .binaryDecoder(data.array(), data.arrayOffset(), data.remaining(), null);
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

    private static Object toAvro(Schema schema, Object value) {
        if (schema.getType() == Schema.Type.UNION) {
            return value == null ? null : toAvro(other(schema), value);
        }
        if (value == null) {
            if (schema.getType() == Schema.Type.NULL) {
                return null;
            }
            throw new SerializationException("Null is no " + schema.getFullName() + ".");
        }
        boolean isDecimal = schema.getLogicalType() instanceof LogicalTypes.Decimal;
        return switch (schema.getType()) {
            case RECORD -> record(schema, (Map<?, ?>) value);
            case ARRAY -> ((Collection<?>) value).stream().map(each -> toAvro(schema.getElementType(), each))
                .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
            case MAP -> entries((Map<?, ?>) value, each -> toAvro(schema.getValueType(), each));
            case ENUM -> new GenericData.EnumSymbol(schema, symbol(schema, (String) value));
            case INT -> Math.toIntExact((Long) value);
            case FLOAT -> ((Number) value).floatValue();
            case DOUBLE -> ((Number) value).doubleValue();
            case BYTES -> ByteBuffer.wrap(isDecimal ? unscaled(schema, value).toByteArray() : (byte[]) value);
            case FIXED -> new GenericData.Fixed(schema, fixed(schema, value));
            default -> value;
        };
    }

    private static GenericRecord record(Schema schema, Map<?, ?> fields) {
        GenericRecord record = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
            record.put(field.pos(), toAvro(field.schema(), fields.get(field.name())));
        }
        return record;
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
            case UNION -> toValue(other(schema), value);
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

    /** The type of a union of null and one other. */
    private static Schema other(Schema union) {
        return union.getTypes().stream().filter(each -> each.getType() != Schema.Type.NULL).findFirst().orElseThrow();
    }
}
