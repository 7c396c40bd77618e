package bench;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.JoinWindows;
import org.apache.kafka.streams.kstream.Joined;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.SlidingWindows;
import org.apache.kafka.streams.kstream.StreamJoined;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.WindowStore;

final class Topologies {
    record Order(String order_id, String customer_id, String region, String product, double amount, long ts,
                 String currency, String channel) { }
    record Wide(String order_id, String customer_id, String region, String product, double amount, long ts,
                String currency, String channel, double amount_with_tax) { }
    record Payment(String payment_id, String customer_id) { }
    record Paid(String order_id, String payment_id, double amount) { }
    record Alert(String kind, String id, long count) { }
    record Home(String customer_id, String home) { }
    record Tiered(String order_id, String tier, double amount) { }
    record Housed(String order_id, String tier, String home, double amount) { }
    record Taxed(String order_id, String customer_id, double amount, double amount_with_tax) { }
    record Customer(String customer_id, String name, String tier, String region) { }
    record Enriched(String order_id, String customer_id, String region, String tier, String name, double amount) { }
    record WindowCount(String customer_id, long window_start, long count) { }
    record TierCount(String tier, String region, long count) { }
    record Stats(String customer_id, long count, double sum, double avg) { }

    static void build(final String workload, final String format, final StreamsBuilder b, final String orders,
                      final String customers, final String out) {
        final Serde<String> string = Serdes.String();
        final Serde<Order> order = SchemaSerdes.orders(format);
        final KStream<String, Order> stream = b.stream(orders, Consumed.with(string, order));
        switch (workload) {
            case "W1" -> stream
                .filter((k, o) -> o.amount() >= 100)
                .mapValues(o -> new Taxed(o.order_id(), o.customer_id(), o.amount(), o.amount() * 1.2))
                .to(out, Produced.with(string, new JsonSerde<>(Taxed.class)));
            case "W1-wide" -> stream
                .filter((k, o) -> o.amount() >= 100)
                .mapValues(o -> new Wide(o.order_id(), o.customer_id(), o.region(), o.product(), o.amount(), o.ts(),
                    o.currency(), o.channel(), o.amount() * 1.2))
                .to(out, Produced.with(string, new JsonSerde<>(Wide.class)));
            case "W2" -> stream
                .groupByKey(Grouped.with(string, order))
                .windowedBy(TimeWindows.ofSizeAndGrace(Duration.ofMinutes(1), Duration.ofSeconds(10)))
                .count(Materialized.<String, Long, WindowStore<Bytes, byte[]>>as("counts")
                    .withKeySerde(string).withValueSerde(Serdes.Long()))
                .toStream()
                .map((w, n) -> KeyValue.pair(w.key() + "@" + w.window().start(),
                    new WindowCount(w.key(), w.window().start(), n)))
                .to(out, Produced.with(string, new JsonSerde<>(WindowCount.class)));
            case "W3" -> {
                final KTable<String, Customer> table =
                    b.table(customers, Consumed.with(string, new JsonSerde<>(Customer.class)));
                final KGroupedStream<String, Enriched> grouped = stream
                    .leftJoin(table, (o, c) -> new Enriched(o.order_id(), o.customer_id(), o.region(),
                        c == null ? null : c.tier(), c == null ? null : c.name(), o.amount()),
                        Joined.with(string, order, null))
                    .groupBy((k, e) -> e.tier() + "|" + e.region(),
                        Grouped.with("by-tier", string, new JsonSerde<>(Enriched.class)));
                count(grouped, out);
            }
            case "W3-twice" -> {
                final KTable<String, Customer> table =
                    b.table(customers, Consumed.with(string, new JsonSerde<>(Customer.class)));
                final KTable<String, Home> homes =
                    b.table("homes", Consumed.with(string, new JsonSerde<>(Home.class)));
                final KGroupedStream<String, Housed> grouped = stream
                    .leftJoin(table, (o, c) -> new Tiered(o.order_id(), c == null ? null : c.tier(), o.amount()),
                        Joined.with(string, order, null))
                    .leftJoin(homes, (o, h) -> new Housed(o.order_id(), o.tier(), h == null ? null : h.home(),
                        o.amount()), Joined.with(string, new JsonSerde<>(Tiered.class), null))
                    .groupBy((k, e) -> e.tier() + "|" + e.home(),
                        Grouped.with("by-tier", string, new JsonSerde<>(Housed.class)));
                count(grouped, out);
            }
            case "W4" -> stream
                .groupByKey(Grouped.with(string, order))
                .aggregate(() -> new Stats("", 0, 0, 0),
                    (k, o, s) -> new Stats(k, s.count() + 1, s.sum() + o.amount(),
                        (s.sum() + o.amount()) / (s.count() + 1)),
                    Materialized.<String, Stats, KeyValueStore<Bytes, byte[]>>as("stats")
                        .withKeySerde(string).withValueSerde(new JsonSerde<>(Stats.class)))
                .toStream()
                .to(out, Produced.with(string, new JsonSerde<>(Stats.class)));
            case "hopping" -> windows(stream.groupByKey(Grouped.with(string, order))
                .windowedBy(TimeWindows.ofSizeAndGrace(Duration.ofMinutes(1), Duration.ofSeconds(10))
                    .advanceBy(Duration.ofSeconds(20)))
                .count(Materialized.<String, Long, WindowStore<Bytes, byte[]>>as("counts")
                    .withKeySerde(string).withValueSerde(Serdes.Long())), out);
            case "sliding" -> windows(stream.groupByKey(Grouped.with(string, order))
                .windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(Duration.ofSeconds(30), Duration.ofSeconds(10)))
                .count(Materialized.<String, Long, WindowStore<Bytes, byte[]>>as("counts")
                    .withKeySerde(string).withValueSerde(Serdes.Long())), out);
            case "session" -> windows(stream.groupByKey(Grouped.with(string, order))
                .windowedBy(SessionWindows.ofInactivityGapAndGrace(Duration.ofSeconds(10), Duration.ofSeconds(10)))
                .count(Materialized.<String, Long, SessionStore<Bytes, byte[]>>as("counts")
                    .withKeySerde(string).withValueSerde(Serdes.Long())), out);
            case "stream join" -> stream
                .join(b.stream("payments", Consumed.with(string, new JsonSerde<>(Payment.class))),
                    (o, p) -> new Paid(o.order_id(), p.payment_id(), o.amount()),
                    JoinWindows.ofTimeDifferenceAndGrace(Duration.ofSeconds(2), Duration.ofMinutes(10)),
                    StreamJoined.with(string, order, new JsonSerde<>(Payment.class)))
                .to(out, Produced.with(string, new JsonSerde<>(Paid.class)));
            case "fraud" -> {
                final KStream<String, Alert> large = stream
                    .filter((k, o) -> o.amount() >= 199)
                    .mapValues(o -> new Alert("large", o.order_id(), 1));
                final KStream<String, Alert> rapid = stream
                    .groupByKey(Grouped.with(string, order))
                    .windowedBy(TimeWindows.ofSizeAndGrace(Duration.ofMinutes(1), Duration.ofSeconds(10)))
                    .count(Materialized.<String, Long, WindowStore<Bytes, byte[]>>as("counts")
                        .withKeySerde(string).withValueSerde(Serdes.Long()))
                    .toStream()
                    .filter((w, n) -> n > 12)
                    .map((w, n) -> KeyValue.pair(w.key(), new Alert("rapid", w.key() + "@" + w.window().start(), n)));
                final KStream<String, Alert> known = stream
                    .join(b.table(customers, Consumed.with(string, new JsonSerde<>(Customer.class))),
                        (o, c) -> new Tiered(o.order_id(), c.tier(), o.amount()), Joined.with(string, order, null))
                    .filter((k, t) -> t.tier().equals("platinum") && t.amount() >= 198)
                    .mapValues(t -> new Alert("platinum", t.order_id(), 1));
                large.merge(rapid).merge(known).to(out, Produced.with(string, new JsonSerde<>(Alert.class)));
            }
            case "word count" -> stream
                .flatMapValues(o -> List.of((o.product() + " " + o.region() + " " + o.channel()).split(" ")))
                .groupBy((k, word) -> word, Grouped.with("by-word", string, string))
                .count(Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as("counts")
                    .withKeySerde(string).withValueSerde(Serdes.Long()))
                .toStream()
                .to(out, Produced.with(string, new JsonSerde<>(Long.class)));
            default -> throw new IllegalArgumentException(workload);
        }
    }

    private static void windows(final KTable<Windowed<String>, Long> counts, final String out) {
        counts
            .toStream()
            .map((w, n) -> KeyValue.pair(w.key() + "@" + w.window().start() + "@" + w.window().end(), n))
            .to(out, Produced.with(Serdes.String(), new JsonSerde<>(Long.class)));
    }

    private static void count(final KGroupedStream<String, ?> grouped, final String out) {
        final Serde<String> string = Serdes.String();
        grouped
            .count(Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as("counts")
                .withKeySerde(string).withValueSerde(Serdes.Long()))
            .toStream()
            .mapValues((k, n) -> new TierCount(k.substring(0, k.indexOf('|')), k.substring(k.indexOf('|') + 1), n))
            .to(out, Produced.with(string, new JsonSerde<>(TierCount.class)));
    }
}
