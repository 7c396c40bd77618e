package streamwright;

import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;

/**
 * Drops a record if another one of its identity passed, until stream time is so long past that one's time. Stream time
 * is that of the records which come here; it begins again when a task is moved.
 */
final class Deduplicate<K, V, I> extends ContextualProcessor<K, V, K, V> {

    private final String name;
    private final long withinMs;
    private final Function<Record<K, V>, I> identity;
    private final boolean ofKey;
    private WindowStore<I, Long> times;
    private long streamTime = Long.MIN_VALUE;

    private Deduplicate(String name, long withinMs, Function<Record<K, V>, I> identity, boolean ofKey) {
        this.name = name;
        this.withinMs = withinMs;
        this.identity = identity;
        this.ofKey = ofKey;
    }

    /** Compares keys. A record without one is dropped. */
    static <K, V> ProcessorSupplier<K, V, K, V> byKey(String name, long withinMs, Serde<K> serde) {
        return supplier(name, withinMs, serde, Record::key, true);
    }

    /** Compares what is computed of the records. One without it passes. */
    static <K, V, I> ProcessorSupplier<K, V, K, V> by(
            String name, long withinMs, Serde<I> serde, Function<Record<K, V>, I> identity) {
        return supplier(name, withinMs, serde, identity, false);
    }

    private static <K, V, I> ProcessorSupplier<K, V, K, V> supplier(
            String name, long withinMs, Serde<I> serde, Function<Record<K, V>, I> identity, boolean ofKey) {
        Duration within = Duration.ofMillis(withinMs);
        return new ProcessorSupplier<>() {
            @Override
            public Processor<K, V, K, V> get() {
                return new Deduplicate<>(name, withinMs, identity, ofKey);
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                var store = Stores.persistentWindowStore(name, within, within, false);
                return Set.of(Stores.windowStoreBuilder(store, serde, Serdes.Long()));
            }
        };
    }

    @Override
    public void init(ProcessorContext<K, V> context) {
        super.init(context);
        times = context.getStateStore(name);
    }

    @Override
    public void process(Record<K, V> record) {
        I id = identity.apply(record);
        if (id == null && ofKey) {
            return;
        }
        streamTime = Math.max(streamTime, record.timestamp());
        long horizon = streamTime - withinMs;
        if (id != null && record.timestamp() > horizon) {
            try (WindowStoreIterator<Long> before = times.fetch(id, Math.max(0, horizon + 1), Long.MAX_VALUE)) {
                if (before.hasNext()) {
                    return;
                }
            }
            times.put(id, record.timestamp(), record.timestamp());
        }
        context().forward(record);
    }
}
