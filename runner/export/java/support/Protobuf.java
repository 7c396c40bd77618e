package streamwright;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;

/** Protobuf by descriptors: messages are Map, repeated fields are List, integers are Long, and enums are their names. */
final class Protobuf {

    private static final long MICRO = 1_000_000;
    private static final long NANO = 1_000;
    private static final int MAX_SHIFT = 28;
    private static final Map<String, MessageNames> NAMES = new ConcurrentHashMap<>();

    private Protobuf() {
    }

    /** One of several messages of a topic: its full name, and Confluent's indexes of it. */
    record Option(String name, byte... indexes) {
    }

    /** The serde of a message. `files` is a FileDescriptorSet in base64, `indexes` are Confluent's, behind the id. */
    @SuppressWarnings("unchecked")
    static <T> Serde<T> serde(String files, String message, SchemaFrame frame, byte... indexes) {
        Descriptor descriptor = find(files, message);
        return frame.serde(value -> bytes((DynamicMessage) write(descriptor, value)), value -> indexes, (schema, place, data) -> {
            String found = schema == null ? message : name(schema, place);
            if (!found.equals(message)) {
                throw new SerializationException("The record is a message " + found + "; expected " + message + ".");
            }
            return (T) parse(descriptor, data);
        });
    }

    /** The serde of several messages. The indexes of a record say which one it holds. */
    static Serde<Sql.Union> union(String files, SchemaFrame frame, Option... options) {
        Map<String, Descriptor> types = new LinkedHashMap<>();
        Map<String, byte[]> places = new LinkedHashMap<>();
        for (Option option : options) {
            types.put(option.name(), find(files, option.name()));
            places.put(option.name(), option.indexes());
        }
        return frame.serde(value -> bytes((DynamicMessage) write(choose(types, value.tag()), value.value())),
            value -> places.get(value.tag()), (schema, place, data) -> {
                if (schema == null) {
                    throw new SerializationException("The record does not say which of " + types.keySet() + " it is.");
                }
                String found = name(schema, place);
                return new Sql.Union(found, parse(choose(types, found), data));
            });
    }

    private static Descriptor choose(Map<String, Descriptor> types, String name) {
        if (!types.containsKey(name)) {
            throw new SerializationException("The record is a message " + name + "; expected one of " + types.keySet() + ".");
        }
        return types.get(name);
    }

    private static Object parse(Descriptor descriptor, ByteBuffer data) {
        try {
            return read(DynamicMessage.parseFrom(descriptor, ByteString.copyFrom(data)));
        } catch (InvalidProtocolBufferException error) {
            throw new SerializationException(error);
        }
    }

    /** The full name of the message whose indexes come next, in the last file of a schema. */
    private static String name(List<String> schema, ByteBuffer indexes) {
        List<Integer> place = new ArrayList<>();
        if (indexes.hasRemaining()) { // a header without indexes means the first message
            for (int count = zigzag(indexes); count > place.size();) {
                place.add(zigzag(indexes));
            }
        }
        List<Integer> found = place.isEmpty() ? List.of(0) : place;
        MessageNames names = NAMES.computeIfAbsent(schema.get(schema.size() - 1), MessageNames::of);
        String name = names.at(found);
        if (name == null) {
            throw new SerializationException("The message indexes " + found + " name no message of the schema.");
        }
        return name;
    }

    private static int zigzag(ByteBuffer bytes) {
        int number = 0;
        for (int shift = 0; shift <= MAX_SHIFT && bytes.hasRemaining(); shift += 7) {
            byte next = bytes.get();
            number |= (next & 127) << shift;
            if (next >= 0) {
                return (number >>> 1) ^ -(number & 1);
            }
        }
        throw new SerializationException("The record has no message indexes behind its schema id.");
    }

    private static Descriptor find(String files, String message) {
        Map<String, FileDescriptor> built = new LinkedHashMap<>();
        Descriptor found = null;
        try {
            for (FileDescriptorProto file : FileDescriptorSet.parseFrom(Base64.getDecoder().decode(files)).getFileList()) {
                FileDescriptor[] imports = file.getDependencyList().stream().map(built::get).toArray(FileDescriptor[]::new);
                FileDescriptor descriptor = FileDescriptor.buildFrom(file, imports);
                built.put(file.getName(), descriptor);
                String prefix = file.getPackage().isEmpty() ? "" : file.getPackage() + ".";
                if (message.startsWith(prefix)) {
                    found = found == null ? nested(descriptor, message.substring(prefix.length())) : found;
                }
            }
        } catch (InvalidProtocolBufferException | DescriptorValidationException error) {
            throw new SerializationException(error);
        }
        return found;
    }

    private static Descriptor nested(FileDescriptor file, String path) {
        Descriptor found = null;
        for (String name : path.split("\\.")) {
            found = found == null ? file.findMessageTypeByName(name) : found.findNestedTypeByName(name);
            if (found == null) {
                return null;
            }
        }
        return found;
    }

    private static byte[] bytes(DynamicMessage message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            message.writeTo(out);
            out.flush();
        } catch (IOException error) {
            throw new SerializationException(error);
        }
        return bytes.toByteArray();
    }

    private static Object read(Message message) {
        Descriptor type = message.getDescriptorForType();
        switch (type.getFullName()) {
            case "google.protobuf.Timestamp", "google.protobuf.Duration":
                long nanos = (Integer) get(message, "nanos");
                long micros = type.getName().equals("Duration") ? nanos / NANO : Math.floorDiv(nanos, NANO);
                return Math.addExact(Math.multiplyExact((Long) get(message, "seconds"), MICRO), micros);
            case "google.protobuf.Struct":
                return value(message, type.findFieldByName("fields"));
            case "google.protobuf.ListValue":
                return value(message, type.findFieldByName("values"));
            case "google.protobuf.Value":
                for (FieldDescriptor field : message.getAllFields().keySet()) {
                    return field.getName().equals("null_value") ? null : value(message, field);
                }
                return null;
            case "google.protobuf.DoubleValue", "google.protobuf.FloatValue", "google.protobuf.Int64Value",
                "google.protobuf.UInt64Value", "google.protobuf.Int32Value", "google.protobuf.UInt32Value",
                "google.protobuf.BoolValue", "google.protobuf.StringValue", "google.protobuf.BytesValue":
                return value(message, type.findFieldByName("value"));
            default:
                Map<String, Object> fields = new LinkedHashMap<>();
                for (FieldDescriptor field : type.getFields()) {
                    boolean isAbsent = field.hasPresence() && !field.hasDefaultValue() && !message.hasField(field);
                    fields.put(field.getName(), isAbsent ? null : value(message, field));
                }
                return fields;
        }
    }

    private static Object get(Message message, String name) {
        return message.getField(message.getDescriptorForType().findFieldByName(name));
    }

    private static Object value(Message message, FieldDescriptor field) {
        Object found = message.getField(field);
        if (field.isMapField()) {
            FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
            Map<String, Object> entries = new LinkedHashMap<>();
            for (Object each : (Collection<?>) found) {
                entries.put(get((Message) each, "key").toString(), one(value, ((Message) each).getField(value)));
            }
            return entries;
        }
        if (field.isRepeated()) {
            List<Object> items = new ArrayList<>();
            for (Object each : (Collection<?>) found) {
                items.add(one(field, each));
            }
            return items;
        }
        return one(field, found);
    }

    private static Object one(FieldDescriptor field, Object value) {
        return switch (field.getType()) {
            case MESSAGE, GROUP -> read((Message) value);
            case ENUM -> {
                EnumValueDescriptor found = (EnumValueDescriptor) value;
                boolean isKnown = field.getEnumType().getValues().contains(found);
                yield isKnown ? found.getName() : Integer.toString(found.getNumber());
            }
            case UINT64, FIXED64 -> new BigDecimal(new BigInteger(Long.toUnsignedString((Long) value)));
            case UINT32, FIXED32 -> Integer.toUnsignedLong((Integer) value);
            case INT32, SINT32, SFIXED32 -> (long) (Integer) value;
            case FLOAT -> (double) (Float) value;
            case BYTES -> ((ByteString) value).toByteArray();
            default -> value;
        };
    }

    private static Message write(Descriptor type, Object value) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        switch (type.getFullName()) {
            case "google.protobuf.Timestamp", "google.protobuf.Duration" -> {
                boolean isDuration = type.getName().equals("Duration");
                long micros = (Long) value;
                long seconds = isDuration ? micros / MICRO : Math.floorDiv(micros, MICRO);
                message.setField(type.findFieldByName("seconds"), seconds);
                message.setField(type.findFieldByName("nanos"), (int) ((micros - seconds * MICRO) * NANO));
            }
            case "google.protobuf.Struct" -> put(message, type.findFieldByName("fields"), value);
            case "google.protobuf.ListValue" -> put(message, type.findFieldByName("values"), value);
            case "google.protobuf.Value" -> {
                String kind = value == null ? "null_value" : value instanceof String ? "string_value"
                    : value instanceof Boolean ? "bool_value" : value instanceof Map ? "struct_value"
                    : value instanceof List ? "list_value" : "number_value";
                FieldDescriptor field = type.findFieldByName(kind);
                if (value == null) {
                    message.setField(field, field.getEnumType().findValueByNumber(0));
                } else {
                    put(message, field, value);
                }
            }
            case "google.protobuf.DoubleValue", "google.protobuf.FloatValue", "google.protobuf.Int64Value",
                "google.protobuf.UInt64Value", "google.protobuf.Int32Value", "google.protobuf.UInt32Value",
                "google.protobuf.BoolValue", "google.protobuf.StringValue", "google.protobuf.BytesValue" ->
                put(message, type.findFieldByName("value"), value);
            default -> {
                for (FieldDescriptor field : type.getFields()) {
                    Object found = ((Map<?, ?>) value).get(field.getName());
                    if (found != null && field.getContainingOneof() != null && message.hasOneof(field.getContainingOneof())) {
                        throw new SerializationException("Two fields of " + field.getContainingOneof().getFullName() + ".");
                    }
                    if (found != null || !field.hasPresence()) {
                        put(message, field, found);
                    }
                }
            }
        }
        return message.build();
    }

    private static void put(DynamicMessage.Builder message, FieldDescriptor field, Object value) {
        if (value == null) {
            throw new SerializationException("The field " + field.getFullName() + " cannot be null.");
        }
        if (field.isMapField()) {
            Descriptor entry = field.getMessageType();
            new TreeMap<>((Map<?, ?>) value).forEach((key, each) -> {
                DynamicMessage.Builder pair = DynamicMessage.newBuilder(entry);
                pair.setField(entry.findFieldByNumber(1), key(entry.findFieldByNumber(1), (String) key));
                pair.setField(entry.findFieldByNumber(2), proto(entry.findFieldByNumber(2), each));
                message.addRepeatedField(field, pair.build());
            });
        } else if (field.isRepeated()) {
            ((Collection<?>) value).forEach(each -> message.addRepeatedField(field, proto(field, each)));
        } else {
            message.setField(field, proto(field, value));
        }
    }

    private static Object key(FieldDescriptor field, String key) {
        return switch (field.getJavaType()) {
            case STRING -> key;
            case BOOLEAN -> Boolean.valueOf(key);
            default -> proto(field, field.getType() == FieldDescriptor.Type.UINT64
                || field.getType() == FieldDescriptor.Type.FIXED64 ? new BigDecimal(key) : (Object) Long.valueOf(key));
        };
    }

    private static Object proto(FieldDescriptor field, Object value) {
        return switch (field.getType()) {
            case MESSAGE, GROUP -> write(field.getMessageType(), value);
            case ENUM -> symbol(field, (String) value);
            case UINT64, FIXED64 -> unsigned(new BigDecimal(value.toString()).toBigIntegerExact(), 64);
            case UINT32, FIXED32 -> (int) unsigned(BigInteger.valueOf((Long) value), 32);
            case INT32, SINT32, SFIXED32 -> Math.toIntExact((Long) value);
            case FLOAT -> ((Number) value).floatValue();
            case DOUBLE -> ((Number) value).doubleValue();
            case BYTES -> ByteString.copyFrom((byte[]) value);
            default -> value;
        };
    }

    private static long unsigned(BigInteger number, int bits) {
        if (number.signum() < 0 || number.bitLength() > bits) {
            throw new SerializationException(number + " is no unsigned integer of " + bits + " bits.");
        }
        return number.longValue();
    }

    private static EnumValueDescriptor symbol(FieldDescriptor field, String name) {
        EnumValueDescriptor symbol = field.getEnumType().findValueByName(name);
        if (symbol == null && name.matches("-?\\d+") && !field.getEnumType().isClosed()) {
            return field.getEnumType().findValueByNumberCreatingIfUnknown(Integer.parseInt(name));
        }
        if (symbol == null) {
            throw new SerializationException(name + " is no name in " + field.getEnumType().getFullName() + ".");
        }
        return symbol;
    }
}
