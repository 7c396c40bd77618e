package streamwright;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ContextualFixedKeyProcessor;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;

/** Steps that see the whole record, its time and headers too, where the DSL's functions see key and value. */
final class Records {

    private Records() {
    }

    /** The values of both sides of a join. */
    record Sides<L, R>(L left, R right) {
    }

    static <K, V> FixedKeyProcessorSupplier<K, V, V> filter(Predicate<FixedKeyRecord<K, V>> keep) {
        return flatMapValues(record -> keep.test(record) ? List.of(record) : List.of());
    }

    static <K, V, R> FixedKeyProcessorSupplier<K, V, R> mapValues(Function<FixedKeyRecord<K, V>, R> value) {
        return flatMapValues(record -> List.of(record.withValue(value.apply(record))));
    }

    /** Forwards the records that are made of each one. */
    static <K, V, R> FixedKeyProcessorSupplier<K, V, R> flatMapValues(
            Function<FixedKeyRecord<K, V>, List<FixedKeyRecord<K, R>>> make) {
        return () -> new ContextualFixedKeyProcessor<>() {
            @Override
            public void process(FixedKeyRecord<K, V> record) {
                make.apply(record).forEach(context()::forward);
            }
        };
    }

    static <K, V, L, R> ProcessorSupplier<K, V, L, R> map(Function<Record<K, V>, KeyValue<L, R>> make) {
        return flatMap(record -> List.of(make.apply(record)));
    }

    static <K, V, L, R> ProcessorSupplier<K, V, L, R> flatMap(Function<Record<K, V>, List<KeyValue<L, R>>> make) {
        return () -> new ContextualProcessor<>() {
            @Override
            public void process(Record<K, V> record) {
                for (KeyValue<L, R> each : make.apply(record)) {
                    context().forward(record.withKey(each.key).withValue(each.value));
                }
            }
        };
    }

    /** What is made of each item of a list and its number, from 0. */
    static <R> List<R> each(List<Object> items, BiFunction<Object, Long, R> make) {
        List<R> all = new ArrayList<>();
        for (Object item : items) {
            all.add(make.apply(item, (long) all.size()));
        }
        return all;
    }

    /** The headers as structs of key and value, both texts. */
    static List<Object> headers(Headers headers) {
        List<Object> structs = new ArrayList<>();
        for (Header header : headers) {
            String value = header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
            structs.add(Sql.struct("key", header.key(), "value", value));
        }
        return structs;
    }

    /** A text for the log; where it cannot be computed, why. */
    static Object message(Supplier<?> text) {
        try {
            return text.get();
        } catch (RuntimeException error) {
            return error.toString();
        }
    }

    /** The topic that a record names, which must be one of those. */
    static String among(String topic, String... topics) {
        if (topic == null || !List.of(topics).contains(topic)) {
            throw Sql.fault("The record names the topic " + topic + ", which is not one of " + String.join(", ", topics));
        }
        return topic;
    }

    /** The time (ms) that a source's field gives: ms or s since 1970, or ISO 8601. */
    static long time(Object value, String unit) {
        if (unit.equals("iso")) {
            return Sql.toTimestampMs(Sql.asString(value));
        }
        Object number = value instanceof String ? (Object) Sql.toDouble(value) : Sql.asNumber(value);
        if (unit.equals("s")) {
            return number instanceof Long seconds ? Math.multiplyExact(seconds, 1_000L) : (long) (Sql.toDouble(number) * 1_000);
        }
        return Sql.toLong(number);
    }

    /** The milliseconds of a time in a unit of so many nanoseconds: the last that is not later. */
    static long timeOfUnit(Object value, long nanoseconds) {
        long number = Sql.toLong(Sql.asNumber(value));
        return nanoseconds < 1_000_000L
            ? Math.floorDiv(number, 1_000_000L / nanoseconds)
            : Math.multiplyExact(number, nanoseconds / 1_000_000L);
    }
}
