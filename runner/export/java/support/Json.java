package streamwright;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.kstream.Window;
import org.apache.kafka.streams.kstream.Windowed;

/** JSON by Jackson: objects are Map, lists are List, and numbers what their type says: Long, Double or BigDecimal. */
final class Json {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
        .build();

    static final Type ANY = Json::any;
    static final Type BOOLEAN = value -> of(Boolean.class, value);
    static final Type LONG = value -> of(Long.class, widen(value));
    static final Type DOUBLE = value -> (Double) of(Number.class, value).doubleValue();
    static final Type STRING = value -> of(String.class, value);
    static final Type BYTES = value -> value instanceof byte[] ? value : decode(of(String.class, value));

    /** Only member of the object that stands for a value of a union, a decimal or bytes. No field has this name. */
    private static final String TAG = "\0";

    private Json() {
    }

    /** Makes a value of a type of what Jackson has read, which is not null. */
    interface Type {
        Object read(Object value);

        default Object orNull(Object value) {
            return value == null ? null : read(value);
        }
    }

    /** A number, or a text that holds one, with as many digits after the point; more of them are an error. */
    static Type decimal(int precision, int scale) {
        return value -> {
            BigDecimal number = value instanceof Exact exact ? exact.number()
                : new BigDecimal(value instanceof String text ? text : of(Number.class, value).toString());
            BigDecimal fitting = number.setScale(scale);
            if (fitting.precision() > precision) {
                throw new SerializationException(number + " does not fit into decimal(" + precision + "," + scale + ")");
            }
            return fitting;
        };
    }

    @SuppressWarnings("unchecked")
    static Type list(Type item) {
        return value -> {
            List<Object> items = of(List.class, value);
            items.replaceAll(item::orNull);
            return items;
        };
    }

    @SuppressWarnings("unchecked")
    static Type map(Type item) {
        return value -> {
            Map<String, Object> entries = of(Map.class, value);
            entries.replaceAll((key, each) -> item.orNull(each));
            return entries;
        };
    }

    /** A member of a struct. */
    record Field(String name, Type type) {
    }

    static Field field(String name, Type type) {
        return new Field(name, type);
    }

    /** A struct; members that are not among its fields are kept as they are. */
    @SuppressWarnings("unchecked")
    static Type struct(Field... struct) {
        Map<String, Type> types = new LinkedHashMap<>();
        for (Field field : struct) {
            types.put(field.name(), field.type());
        }
        return value -> {
            Map<String, Object> fields = of(Map.class, value);
            fields.replaceAll((name, each) -> types.getOrDefault(name, ANY).orNull(each));
            return fields;
        };
    }

    /**
     * A value of a union. JSON does not name the type, so the first one that takes the value counts, unless `tagged`
     * has read the value.
     */
    static Type union(Field... options) {
        Map<String, Type> types = new LinkedHashMap<>();
        for (Field option : options) {
            types.put(option.name(), option.type());
        }
        return value -> {
            if (value instanceof Sql.Union union) {
                return new Sql.Union(union.tag(), types.getOrDefault(union.tag(), ANY).orNull(union.value()));
            }
            for (Map.Entry<String, Type> option : types.entrySet()) {
                try {
                    return new Sql.Union(option.getKey(), option.getValue().read(copy(value)));
                } catch (SerializationException | ArithmeticException | IllegalArgumentException error) {
                    continue; // the next type may take it
                }
            }
            throw new SerializationException("Expected one of " + types.keySet() + ", found " + value);
        };
    }

    /** Types change lists and maps in place. */
    private static Object copy(Object value) {
        if (value instanceof Map<?, ?> fields) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            fields.forEach((name, each) -> copy.put(name, copy(each)));
            return copy;
        }
        return value instanceof List<?> items ? items.stream().map(Json::copy).collect(toList()) : value;
    }

    /** A decimal of a store: JSON alone does not tell it from a double. */
    private record Exact(BigDecimal number) {
    }

    private static Object any(Object value) {
        if (value instanceof Exact exact) {
            return exact.number();
        }
        if (value instanceof Sql.Union union) {
            return new Sql.Union(union.tag(), ANY.orNull(union.value()));
        }
        if (value instanceof BigDecimal number) {
            return number.doubleValue();
        }
        if (value instanceof Map || value instanceof List) {
            return (value instanceof Map ? map(ANY) : list(ANY)).read(value);
        }
        return widen(value);
    }

    /** Jackson reads an integer as the smallest of Integer, Long and BigInteger that holds it. */
    private static Object widen(Object value) {
        return value instanceof Integer number ? (Object) number.longValue() : value;
    }

    private static byte[] decode(String text) {
        return Base64.getDecoder().decode(text);
    }

    private static <T> T of(Class<T> class_, Object value) {
        if (!class_.isInstance(value)) {
            throw new SerializationException("Expected " + class_.getSimpleName() + ", found " + value);
        }
        return class_.cast(value);
    }

    /** The serde of values of a type; the JSON document null is the null value. */
    @SuppressWarnings("unchecked")
    static <T> Serde<T> serde(Type type) {
        Serializer<T> serializer = (topic, value) -> value == null ? null : bytes(value);
        Deserializer<T> deserializer = (topic, bytes) -> {
            if (bytes == null) {
                return null;
            }
            try {
                return (T) type.orNull(MAPPER.readValue(bytes, Object.class));
            } catch (IOException | ArithmeticException | IllegalArgumentException error) {
                throw new SerializationException(error);
            }
        };
        return Serdes.serdeFrom(serializer, deserializer);
    }

    /**
     * The same for topics and stores of Kafka Streams itself: values of unions keep the names of their types, and
     * decimals and bytes stay what they are where their type is not known.
     */
    @SuppressWarnings("unchecked")
    static <T> Serde<T> tagged(Type type) {
        Serde<T> plain = serde(value -> type.read(untag(value)));
        return Serdes.serdeFrom((topic, value) -> plain.serializer().serialize(topic, (T) tag(value)), plain.deserializer());
    }

    private static Object tag(Object value) {
        if (value instanceof Sql.Union union) {
            return Map.of(TAG, Arrays.asList(union.tag(), tag(union.value())));
        }
        if (value instanceof BigDecimal number) {
            return Map.of(TAG, List.of(number.toPlainString()));
        }
        if (value instanceof byte[] bytes) {
            return Map.of(TAG, Base64.getEncoder().encodeToString(bytes));
        }
        if (value instanceof Map<?, ?> fields) {
            Map<Object, Object> tagged = new LinkedHashMap<>();
            fields.forEach((name, each) -> tagged.put(name, tag(each)));
            return tagged;
        }
        return value instanceof List<?> items ? items.stream().map(Json::tag).collect(toList()) : value;
    }

    @SuppressWarnings("unchecked")
    private static Object untag(Object value) {
        if (value instanceof List<?> items) {
            return items.stream().map(Json::untag).collect(toList());
        }
        if (!(value instanceof Map<?, ?> fields)) {
            return value;
        }
        if (fields.size() == 1 && fields.get(TAG) instanceof List<?> tagged) {
            return tagged.size() == 1 ? new Exact(new BigDecimal((String) tagged.get(0)))
                : new Sql.Union((String) tagged.get(0), untag(tagged.get(1)));
        }
        if (fields.size() == 1 && fields.get(TAG) instanceof String text) {
            return decode(text);
        }
        ((Map<Object, Object>) fields).replaceAll((name, each) -> untag(each));
        return fields;
    }

    private static <T> Collector<T, ?, List<T>> toList() {
        return Collectors.toCollection(ArrayList::new); // holds nulls, and can be changed
    }

    /** Writes a windowed key as an object with key, start and end, all times in ms. */
    static <K> Serde<Windowed<K>> windowed(ToLongFunction<Window> end) {
        Serializer<Windowed<K>> serializer = (topic, key) -> key == null ? null
            : bytes(Sql.struct("key", key.key(), "start", key.window().start(), "end", end.applyAsLong(key.window())));
        Deserializer<Windowed<K>> deserializer = (topic, bytes) -> {
            throw new SerializationException("Windowed keys as JSON are only written.");
        };
        return Serdes.serdeFrom(serializer, deserializer);
    }

    private static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(finite(value));
        } catch (JsonProcessingException error) {
            throw new SerializationException(error);
        }
    }

    private static Object finite(Object value) {
        if (value instanceof Double number && !Double.isFinite(number)) {
            throw new SerializationException("JSON has no number that is infinite or not a number.");
        }
        if (value instanceof Map<?, ?> fields) {
            fields.values().forEach(Json::finite);
        }
        if (value instanceof List<?> items) {
            items.forEach(Json::finite);
        }
        if (value instanceof Sql.Union union) {
            finite(union.value());
        }
        return value;
    }

    static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException error) {
            throw Sql.fault("The value cannot be written as JSON.");
        }
    }

    static Object parse(String text) {
        try {
            return ANY.orNull(MAPPER.readValue(text, Object.class));
        } catch (JsonProcessingException error) {
            throw Sql.fault("The text is not valid JSON.");
        }
    }
}
