package streamwright;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** Runs the records of a test case, and compares what leaves with what is expected: by topic and key, in order. */
final class Cases {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
        .enable(DeserializationFeature.USE_LONG_FOR_INTS)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .build();

    private final Topology topology;
    private final Properties config;
    private final Map<String, Side[]> inputs = new LinkedHashMap<>();
    private final Map<String, Side[]> outputs = new LinkedHashMap<>();

    Cases(Topology topology, Properties config) {
        this.topology = topology;
        this.config = config;
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "cases");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        config.put(StreamsConfig.InternalConfig.EMIT_INTERVAL_MS_KSTREAMS_OUTER_JOIN_SPURIOUS_RESULTS_FIX, 0L);
        config.put(StreamsConfig.InternalConfig.EMIT_INTERVAL_MS_KSTREAMS_WINDOWED_AGGREGATION, 0L);
    }

    /** Key or value of a topic: its serde, and the type of what stands for it in the lines of a case. */
    private record Side(Serde<Object> serde, Json.Type type) {
    }

    @SuppressWarnings("unchecked")
    private static Side[] sides(Serde<?> key, Json.Type keyType, Serde<?> value, Json.Type valueType) {
        return new Side[] {new Side((Serde<Object>) key, keyType), new Side((Serde<Object>) value, valueType)};
    }

    void input(String topic, Serde<?> key, Json.Type keyType, Serde<?> value, Json.Type valueType) {
        inputs.put(topic, sides(key, keyType, value, valueType));
    }

    void output(String topic, Serde<?> key, Json.Type keyType, Serde<?> value, Json.Type valueType) {
        outputs.put(topic, sides(key, keyType, value, valueType));
    }

    void check(int number) throws IOException {
        List<Map<String, Object>> expectedLines = lines("cases/" + number + ".expected.jsonl");
        Map<String, List<Object>> results = new LinkedHashMap<>();
        try (TopologyTestDriver driver = new TopologyTestDriver(topology, config, Instant.ofEpochMilli(0))) {
            long time = 0;
            for (Map<String, Object> line : lines("cases/" + number + ".records.jsonl")) {
                time = line.containsKey("timestamp") ? (Long) line.get("timestamp") : time;
                String topic = (String) line.get("topic");
                Side[] sides = inputs.get(topic);
                driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer()).pipeInput(
                    new TestRecord<>(bytes(topic, sides[0], line.get("key")), bytes(topic, sides[1], line.get("value")),
                        Instant.ofEpochMilli(time)));
            }
            outputs.forEach((topic, sides) -> driver
                .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList().forEach(record -> {
                    Object key = plain(sides[0].serde().deserializer().deserialize(topic, record.headers(), record.key()));
                    Object value = plain(sides[1].serde().deserializer().deserialize(topic, record.headers(), record.value()));
                    flow(results, topic, key).add(toStruct(key, value, record.timestamp()));
                }));
        }
        Map<String, List<Object>> expected = new LinkedHashMap<>();
        for (Map<String, Object> line : expectedLines) {
            String topic = (String) line.get("topic");
            Side[] sides = outputs.get(topic);
            Object key = plain(sides[0].type().orNull(line.get("key")));
            List<Object> flow = flow(expected, topic, key);
            Object time = line.get("timestamp");
            flow.add(toStruct(key, plain(sides[1].type().orNull(line.get("value"))),
                time != null ? time : timeOf(results, topic, key, flow.size())));
        }
        assertEquals(describe(expected), describe(results));
    }

    /** The time that was given, where none is expected. */
    private static Object timeOf(Map<String, List<Object>> results, String topic, Object key, int place) {
        List<Object> flow = flow(results, topic, key);
        return place < flow.size() ? ((Map<?, ?>) flow.get(place)).get("timestamp") : null;
    }

    private static List<Object> flow(Map<String, List<Object>> flows, String topic, Object key) {
        return flows.computeIfAbsent(topic + " " + toJson(key), flow -> new ArrayList<>());
    }

    private static Map<String, Object> toStruct(Object key, Object value, Object timestamp) {
        return Sql.struct("key", key, "value", value, "timestamp", timestamp);
    }

    private static Object plain(Object value) {
        return Json.parse(Json.write(value));
    }

    /** A line for each topic and key that has records. */
    private static String describe(Map<String, List<Object>> flows) {
        return flows.entrySet().stream().filter(flow -> !flow.getValue().isEmpty())
            .map(flow -> flow.getKey() + " " + toJson(flow.getValue())).sorted().collect(Collectors.joining("\n"));
    }

    /** As JSON, whose members have no order of their own. */
    private static String toJson(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    private static byte[] bytes(String topic, Side side, Object value) {
        return side.serde().serializer().serialize(topic, side.type().orNull(value));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> lines(String resource) throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        try (InputStream in = Cases.class.getClassLoader().getResourceAsStream(resource)) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (!line.isBlank()) {
                    all.add(MAPPER.readValue(line, Map.class));
                }
            }
        }
        return all;
    }
}
