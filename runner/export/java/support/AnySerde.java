package streamwright;

import org.apache.kafka.common.serialization.Serdes.WrapperSerde;

/** JSON of any type: the default where a table is computed from a versioned one, which cannot name a serde itself. */
public final class AnySerde extends WrapperSerde<Object> {

    public AnySerde() {
        super(Json.tagged(Json.ANY).serializer(), Json.tagged(Json.ANY).deserializer());
    }
}
