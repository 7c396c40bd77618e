package streamwright;

import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/** Serdes of Kafka for the few classes that values have here. */
final class Formats {

    private Formats() {
    }

    /** Integers of 4 bytes; a number that they do not hold is an ArithmeticException. */
    static Serde<Long> integer() {
        IntegerSerializer writer = new IntegerSerializer();
        IntegerDeserializer reader = new IntegerDeserializer();
        Serializer<Long> serializer =
            (topic, number) -> writer.serialize(topic, number == null ? null : Math.toIntExact(number));
        Deserializer<Long> deserializer = (topic, bytes) -> bytes == null ? null : (Long) (long) reader.deserialize(topic, bytes);
        return Serdes.serdeFrom(serializer, deserializer);
    }

    /** Writes nothing, and reads nothing. */
    static <T> Serde<T> none() {
        return Serdes.serdeFrom((topic, value) -> null, (topic, bytes) -> null);
    }

    /** The same serde for values that may be anything; those of another class are a ClassCastException. */
    @SuppressWarnings("unchecked")
    static <T> Serde<T> untyped(Serde<?> serde) {
        return (Serde<T>) serde;
    }
}
