package streamwright;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.SpecVersionDetector;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.util.Set;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;

/** JSON that a JSON Schema judges, as it is read and as it is written. */
final class JsonSchema {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonSchema() {
    }

    /** The serde of a schema, whose values have a type. */
    static <T> Serde<T> serde(String text, SchemaFrame frame, Json.Type type) {
        com.networknt.schema.JsonSchema schema = parse(text);
        Serde<T> json = Json.serde(type);
        return frame.serde(
            value -> judged(schema, json.serializer().serialize(null, value)),
            (written, data) -> {
                byte[] document = new byte[data.remaining()];
                data.get(document);
                return json.deserializer().deserialize(null, judged(schema, document));
            });
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
