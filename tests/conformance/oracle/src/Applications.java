package oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Runs cases on a broker as real applications, several side by side, each until all there is went through it:
 * java -Doracle.json=true oracle.Applications BOOTSTRAP AT_ONCE < CASES. The name of a case is its application id.
 */
public final class Applications {

    private static final Duration LONGEST = Duration.ofSeconds(120);
    private static final Set<String> SOURCES = Set.of("stream", "table");

    private final String servers;
    private final Path state;
    private final Admin admin;

    private Applications(String servers, Path state, Admin admin) {
        this.servers = servers;
        this.state = state;
        this.admin = admin;
    }

    public static void main(String[] arguments) throws Exception {
        Path state = Files.createTempDirectory("applications");
        ExecutorService pool = Executors.newFixedThreadPool(Integer.parseInt(arguments[1]));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", arguments[0]))) {
            Applications applications = new Applications(arguments[0], state, admin);
            List<Future<?>> running = new ArrayList<>();
            Json.forEachCase(System.in, testCase -> running.add(pool.submit(() -> applications.run(testCase))));
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
            delete(state);
        }
    }

    private Void run(JsonNode testCase) throws Exception {
        String name = testCase.get("name").asText();
        long start = System.nanoTime();
        Properties properties = properties(name);
        StreamsBuilder builder = new StreamsBuilder(new TopologyConfig(new StreamsConfig(properties)));
        Topologies.build(testCase.get("topology"), builder, (topic, written) -> passing());
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (KafkaStreams streams = new KafkaStreams(builder.build(properties), properties)) {
            streams.setUncaughtExceptionHandler(error -> {
                failure.set(error);
                return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            });
            streams.start();
            while (!isDone(name, read(testCase.get("topology")))) {
                if (failure.get() != null || System.nanoTime() - start > LONGEST.toNanos()) {
                    throw new IllegalStateException(name + " is " + streams.state(), failure.get());
                }
                Thread.sleep(100);
            }
        }
        admin.deleteTopics(internal(name)).all().get();
        System.out.printf("%s %.1f s%n", name, (System.nanoTime() - start) / 1e9);
        return null;
    }

    private Properties properties(String name) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, name);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, JsonSerde.class);
        config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, JsonSerde.class);
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        config.put(StreamsConfig.InternalConfig.EMIT_INTERVAL_MS_KSTREAMS_OUTER_JOIN_SPURIOUS_RESULTS_FIX, 0L);
        config.put(StreamsConfig.InternalConfig.EMIT_INTERVAL_MS_KSTREAMS_WINDOWED_AGGREGATION, 0L);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // a member that is lost while the group forms holds all others up for so long; 45 s by default
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000);
        return config;
    }

    /** Whether everything in the topics it reads, its own among them, is committed: offsets first, ends afterwards. */
    private boolean isDone(String name, Set<String> topics) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> committed =
            admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata().get();
        Set<String> read = internal(name).stream().filter(t -> !t.endsWith("-changelog")).collect(Collectors.toSet());
        read.addAll(topics);
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end : ends(read).entrySet()) {
            OffsetAndMetadata at = committed.get(end.getKey());
            if (end.getValue().offset() > (at == null ? 0 : at.offset())) {
                return false;
            }
        }
        return true;
    }

    private Map<TopicPartition, ListOffsetsResultInfo> ends(Set<String> topics) throws Exception {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        admin.describeTopics(topics).allTopicNames().get().values().forEach(topic -> topic.partitions().forEach(
            each -> asked.put(new TopicPartition(topic.name(), each.partition()), OffsetSpec.latest())));
        return admin.listOffsets(asked).all().get();
    }

    private Set<String> internal(String name) throws Exception {
        return admin.listTopics().names().get().stream().filter(t -> t.startsWith(name + "-")).collect(Collectors.toSet());
    }

    private static Set<String> read(JsonNode topology) {
        return StreamSupport.stream(topology.spliterator(), false)
            .filter(step -> SOURCES.contains(step.get("op").asText()))
            .map(step -> step.get("topic").asText()).collect(Collectors.toSet());
    }

    private static ProcessorSupplier<Object, Object, Object, Object> passing() {
        return () -> new ContextualProcessor<>() {
            @Override
            public void process(Record<Object, Object> record) {
                context().forward(record);
            }
        };
    }

    private static void delete(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
