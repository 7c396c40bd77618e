package streamwright;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.SpecVersionDetector;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;

/** JSON that a JSON Schema judges, as it is read and as it is written. */
final class JsonSchema {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final com.networknt.schema.JsonSchema schema;

    private JsonSchema(com.networknt.schema.JsonSchema schema) {
        this.schema = schema;
    }

    /** One type of a union: its name, its place in the schema, or one of several words in `type`. */
    record Option(String tag, String pointer, String word, Json.Type type) {
    }

    /** The serde of a schema. `find` returns the type of its values. */
    static <T> Serde<T> serde(String text, SchemaFrame frame, Function<JsonSchema, Json.Type> find) {
        com.networknt.schema.JsonSchema schema = parse(text);
        Json.Type type = find.apply(new JsonSchema(schema));
        Serde<T> json = Json.serde(type);
        Map<List<String>, Serde<T>> byWriter = new ConcurrentHashMap<>();
        return frame.serde(
            value -> judged(schema, json.serializer().serialize(null, value)),
            (written, indexes, data) -> {
                byte[] document = new byte[data.remaining()];
                data.get(document);
                Serde<T> own = written == null ? json
                    : byWriter.computeIfAbsent(written, texts -> Json.serde(typeOf(type, texts.get(texts.size() - 1))));
                return own.deserializer().deserialize(null, judged(schema, document));
            });
    }

    /** Of a union, the type with the title of the writer's schema. */
    private static Json.Type typeOf(Json.Type type, String written) {
        try {
            String title = MAPPER.readTree(written).path("title").asText();
            return type instanceof Union union && union.types().containsKey(title)
                ? value -> new Sql.Union(title, union.types().get(title).read(value)) : type;
        } catch (IOException error) {
            throw new SerializationException(error);
        }
    }

    /** Values of a union: each has the first type that accepts it. */
    private record Union(Map<String, Json.Type> types, Map<String, Predicate<JsonNode>> accepting) implements Json.Type {

        @Override
        public Object read(Object value) {
            JsonNode node = MAPPER.valueToTree(value);
            for (Map.Entry<String, Predicate<JsonNode>> each : accepting.entrySet()) {
                if (each.getValue().test(node)) {
                    return new Sql.Union(each.getKey(), types.get(each.getKey()).read(value));
                }
            }
            throw new SerializationException(value + " matches none of the types of its union.");
        }
    }

    /** The type of a union. */
    Json.Type union(Option... options) {
        Map<String, Json.Type> types = new LinkedHashMap<>();
        Map<String, Predicate<JsonNode>> accepting = new LinkedHashMap<>();
        for (Option option : options) {
            types.put(option.tag(), option.type());
            accepting.put(option.tag(),
                option.word().isEmpty() ? judge(option.pointer()) : node -> isOf(option.word(), node));
        }
        return new Union(types, accepting);
    }

    private Predicate<JsonNode> judge(String pointer) {
        com.networknt.schema.JsonSchema part = schema.getRefSchema(SchemaLocation.Fragment.of(pointer));
        return node -> part.validate(node).isEmpty();
    }

    private static boolean isOf(String word, JsonNode node) {
        boolean isNumber = word.equals("number") || (word.equals("integer") && node.isIntegralNumber());
        return node.isNumber() ? isNumber : word.equals(node.getNodeType().name().toLowerCase(Locale.ROOT));
    }

    private static com.networknt.schema.JsonSchema parse(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            SpecVersion.VersionFlag version = SpecVersionDetector.detectOptionalVersion(node, false)
                .orElse(SpecVersion.VersionFlag.V7);
            return JsonSchemaFactory.getInstance(version).getSchema(node);
        } catch (IOException error) {
            throw new SerializationException(error);
        }
    }

    private static byte[] judged(com.networknt.schema.JsonSchema schema, byte[] document) {
        try {
            Set<ValidationMessage> wrong = schema.validate(MAPPER.readTree(document));
            if (!wrong.isEmpty()) {
                throw new SerializationException("Not valid by the JSON Schema: " + wrong.iterator().next());
            }
            return document;
        } catch (IOException error) {
            throw new SerializationException(error);
        }
    }
}
