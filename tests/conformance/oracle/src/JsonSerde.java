package oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.kstream.Windowed;

/** JSON as the runner writes it, byte for byte, so that keys go to the same partitions. Windowed keys are only written. */
public final class JsonSerde implements Serde<Object> {

    @Override
    public Serializer<Object> serializer() {
        return (topic, data) -> data == null ? null : encode(data);
    }

    @Override
    public Deserializer<Object> deserializer() {
        return (topic, bytes) -> bytes == null ? null : decode(bytes);
    }

    private static byte[] encode(Object data) {
        try {
            return Json.MAPPER.writeValueAsBytes(data instanceof Windowed<?> windowed ? node(windowed) : data);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectNode node(Windowed<?> windowed) {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.set("key", Json.node(windowed.key()));
        return node.put("start", windowed.window().start()).put("end", windowed.window().end());
    }

    private static Object decode(byte[] bytes) {
        try {
            return Functions.scalar(Json.MAPPER.readTree(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
