package oracle;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.kstream.Windowed;

/**
 * The bytes of Kafka's own serdes and no others, for cases in which bytes are counted. A number is told by its first
 * byte, 0 or 255, with which no text of a case begins. Windowed keys are only written.
 */
public final class PlainSerde implements Serde<Object> {

    @Override
    public Serializer<Object> serializer() {
        return (topic, data) -> encode(data);
    }

    @Override
    public Deserializer<Object> deserializer() {
        return (topic, bytes) -> bytes == null ? null : decode(bytes);
    }

    private static byte[] encode(Object data) {
        if (data == null) {
            return null;
        }
        if (data instanceof Long number) {
            byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
            if (!isNumber(bytes)) {
                throw new IllegalArgumentException(number + " is too large to be told from a text");
            }
            return bytes;
        }
        if (data instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        if (data instanceof Windowed<?> windowed) {
            byte[] key = encode(windowed.key());
            return ByteBuffer.allocate(key.length + Long.BYTES).put(key).putLong(windowed.window().start()).array();
        }
        throw new IllegalArgumentException("no encoding for " + data.getClass());
    }

    private static Object decode(byte[] bytes) {
        return isNumber(bytes) ? ByteBuffer.wrap(bytes).getLong() : new String(bytes, StandardCharsets.UTF_8);
    }

    private static boolean isNumber(byte[] bytes) {
        return bytes.length == Long.BYTES && (bytes[0] == 0 || bytes[0] == -1);
    }
}
