package adopting;

import java.nio.file.Files;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.Suppressed;
import org.apache.kafka.streams.kstream.Suppressed.BufferConfig;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;

/**
 * Applications as people write them, which a job then adopts.
 *
 * <p>{@code java adopting.Programs SERVERS PROGRAM APPLICATION LEFT RIGHT OUT [NAME=VALUE…]} runs one, with these
 * settings, until everything in its topics went through it. With {@code describe PROGRAM} it prints its topology.
 */
public final class Programs {

    private static final Duration LONGEST = Duration.ofSeconds(120);
    private static final Duration SIZE = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Admin admin;
    private final String application;
    private final Set<String> read;

    private Programs(Admin admin, String application, Set<String> read) {
        this.admin = admin;
        this.application = application;
        this.read = read;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("describe")) {
            System.out.print(topology(arguments[1], "left", "right", "out").describe());
            return;
        }
        String program = arguments[1];
        String application = arguments[2];
        Set<String> read = program.contains("table") ? Set.of(arguments[3], arguments[4]) : Set.of(arguments[3]);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", arguments[0]))) {
            Topology topology = topology(program, arguments[3], arguments[4], arguments[5]);
            Properties properties = properties(arguments[0], application);
            Stream.of(arguments).skip(6).map(each -> each.split("=", 2)).forEach(each -> properties.put(each[0], each[1]));
            new Programs(admin, application, read).run(topology, properties);
        }
    }

    static Topology topology(String program, String left, String right, String out) {
        StreamsBuilder builder = new StreamsBuilder();
        Consumed<String, String> text = Consumed.with(Serdes.String(), Serdes.String());
        Produced<String, Long> counts = Produced.with(Serdes.String(), Serdes.Long());
        Produced<String, String> texts = Produced.with(Serdes.String(), Serdes.String());
        switch (program) {
            case "word-count" -> builder.stream(left, text)
                .groupBy((key, word) -> word, Grouped.with("by-word", Serdes.String(), Serdes.String()))
                .count(Materialized.as("word-counts"))
                .toStream().to(out, counts);
            case "windows" -> windowed(builder.stream(left, text)).toStream(Programs::name).to(out, counts);
            case "sessions" -> builder.stream(left, text)
                .groupByKey(Grouped.with(Serdes.String(), Serdes.String()))
                .windowedBy(SessionWindows.ofInactivityGapAndGrace(Duration.ofSeconds(3), GRACE))
                .count(Materialized.as("session-counts"))
                .toStream(Programs::name).to(out, counts);
            case "suppress" -> windowed(builder.stream(left, text))
                .suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()).withName("held"))
                .toStream(Programs::name).to(out, counts);
            case "stream-table" -> {
                KTable<String, String> customers =
                    builder.table(right, text, Materialized.as("customers"));
                KStream<String, String> orders = builder.stream(left, text);
                orders.join(customers, (order, customer) -> order + " of " + customer).to(out, texts);
            }
            case "table-table" -> {
                KTable<String, String> lefts = builder.table(left, text);
                KTable<String, String> rights = builder.table(right, text);
                lefts.join(rights, (one, other) -> one + " with " + other, Named.as("pairs"),
                    Materialized.as("pairs")).toStream().to(out, texts);
            }
            default -> throw new IllegalArgumentException(program);
        }
        return builder.build();
    }

    private static KTable<Windowed<String>, Long> windowed(KStream<String, String> records) {
        return records.groupByKey(Grouped.with(Serdes.String(), Serdes.String()))
            .windowedBy(TimeWindows.ofSizeAndGrace(SIZE, GRACE))
            .count(Materialized.as("window-counts"));
    }

    private static String name(Windowed<String> key, Long count) {
        return key.key() + "@" + key.window().start();
    }

    private static Properties properties(String servers, String application) throws Exception {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        config.put(StreamsConfig.STATE_DIR_CONFIG, Files.createTempDirectory("adopting").toString());
        config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        config.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, 2_000L);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, System.getProperty("group.protocol", "classic"));
        return config;
    }

    private void run(Topology topology, Properties properties) throws Exception {
        long start = System.nanoTime();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        KafkaStreams streams = new KafkaStreams(topology, properties);
        try (streams) {
            streams.setUncaughtExceptionHandler(error -> {
                failure.set(error);
                return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            });
            streams.start();
            while (!isDone()) {
                if (failure.get() != null || System.nanoTime() - start > LONGEST.toNanos()) {
                    throw new IllegalStateException(application + " is " + streams.state(), failure.get());
                }
                Thread.sleep(100);
            }
            streams.close(new KafkaStreams.CloseOptions().leaveGroup(true).timeout(Duration.ofSeconds(30)));
        }
    }

    /** Whether everything in the topics it reads, its own among them, is committed: offsets first, ends afterwards. */
    private boolean isDone() throws Exception {
        Map<TopicPartition, OffsetAndMetadata> committed =
            admin.listConsumerGroupOffsets(application).partitionsToOffsetAndMetadata().get();
        Set<String> internal = admin.listTopics().names().get().stream()
            .filter(each -> each.startsWith(application + "-") && each.endsWith("-repartition"))
            .collect(Collectors.toSet());
        Set<String> all = Stream.of(internal, read).flatMap(Collection::stream).collect(Collectors.toSet());
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end : ends(all).entrySet()) {
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
}
