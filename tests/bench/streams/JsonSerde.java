package bench;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serdes;

final class JsonSerde<T> extends Serdes.WrapperSerde<T> {
    private static final ObjectMapper MAPPER =
        new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    JsonSerde(final Class<T> type) {
        this(MAPPER.writerFor(type), MAPPER.readerFor(type));
    }

    private JsonSerde(final ObjectWriter writer, final ObjectReader reader) {
        super((topic, data) -> {
            try {
                return data == null ? null : writer.writeValueAsBytes(data);
            } catch (final IOException e) {
                throw new SerializationException(e);
            }
        }, (topic, bytes) -> {
            try {
                return bytes == null ? null : reader.readValue(bytes);
            } catch (final IOException e) {
                throw new SerializationException(e);
            }
        });
    }
}
