package streamwright;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Runs exported classes, all of them in one JVM. Each line of the standard input names a class, the topics it writes and
 * its input records in base64; each line of the output has what each record made the topology write, or an error. A line
 * without records is answered with what the topology says of itself.
 */
final class Harness {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        if (System.getenv("SCHEMA_REGISTRY_URL") == null) {
            SchemaFrame.useOwnIds();
        }
        String state = Files.createTempDirectory("exported").toString();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(MAPPER.writeValueAsString(answer(MAPPER.readTree(line), state)));
            }
        }
        out.flush();
    }

    private static ObjectNode answer(JsonNode asked, String state) {
        ObjectNode found = MAPPER.createObjectNode();
        try {
            if (asked.has("records")) {
                found.set("steps", steps(asked, state));
            } else {
                found.put("described", topology(asked).describe().toString());
            }
        } catch (Throwable error) {
            Throwable cause = error;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            found.put("error", cause.toString());
        }
        return found;
    }

    private static ArrayNode steps(JsonNode asked, String state) throws ReflectiveOperationException {
        Class<?> exported = exported(asked);
        Properties config = (Properties) exported.getDeclaredMethod("settings").invoke(null);
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, asked.get("application").asText());
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        config.put(StreamsConfig.STATE_DIR_CONFIG, state + "/" + asked.get("class").asText());
        config.put(StreamsConfig.InternalConfig.EMIT_INTERVAL_MS_KSTREAMS_OUTER_JOIN_SPURIOUS_RESULTS_FIX, 0L);
        config.put(StreamsConfig.InternalConfig.EMIT_INTERVAL_MS_KSTREAMS_WINDOWED_AGGREGATION, 0L);
        ArrayNode steps = MAPPER.createArrayNode();
        try (TopologyTestDriver driver = new TopologyTestDriver(topology(asked), config, Instant.ofEpochMilli(0))) {
            Map<String, TestOutputTopic<byte[], byte[]>> outputs = new java.util.TreeMap<>();
            for (JsonNode topic : asked.get("topics")) {
                outputs.put(topic.asText(), driver.createOutputTopic(
                    topic.asText(), new ByteArrayDeserializer(), new ByteArrayDeserializer()));
            }
            Map<String, TestInputTopic<byte[], byte[]>> inputs = new HashMap<>();
            for (JsonNode record : asked.get("records")) {
                inputs.computeIfAbsent(record.get("topic").asText(), topic -> driver.createInputTopic(
                    topic, new ByteArraySerializer(), new ByteArraySerializer())).pipeInput(read(record));
                steps.add(written(outputs));
            }
        }
        return steps;
    }

    private static Class<?> exported(JsonNode asked) throws ReflectiveOperationException {
        return Class.forName("streamwright." + asked.get("class").asText());
    }

    private static Topology topology(JsonNode asked) throws ReflectiveOperationException {
        return (Topology) exported(asked).getDeclaredMethod("topology").invoke(null);
    }

    private static TestRecord<byte[], byte[]> read(JsonNode record) {
        RecordHeaders headers = new RecordHeaders();
        for (JsonNode header : record.path("headers")) {
            headers.add(header.get(0).asText(), bytes(header.get(1)));
        }
        return new TestRecord<>(bytes(record.get("key")), bytes(record.get("value")), headers, record.get("timestamp").asLong());
    }

    private static ArrayNode written(Map<String, TestOutputTopic<byte[], byte[]>> outputs) {
        ArrayNode step = MAPPER.createArrayNode();
        outputs.forEach((topic, output) -> {
            for (TestRecord<byte[], byte[]> record : output.readRecordsToList()) {
                ObjectNode result = step.addObject().put("topic", topic).put("timestamp", record.timestamp());
                result.put("key", record.key()).put("value", record.value());
                ArrayNode headers = result.putArray("headers");
                for (Header header : record.headers()) {
                    headers.addArray().add(header.key()).add(header.value());
                }
            }
        });
        return step;
    }

    private static byte[] bytes(JsonNode text) {
        return text == null || text.isNull() ? null : Base64.getDecoder().decode(text.asText());
    }
}
