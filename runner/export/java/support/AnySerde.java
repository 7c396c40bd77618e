package streamwright;

import org.apache.kafka.common.serialization.Serdes.WrapperSerde;

/** JSON of any type: the default where a table is computed from a versioned one, which cannot name a serde itself. */
public final class AnySerde extends WrapperSerde<Object> {

    public AnySerde() {
        super(Json.serde(Json.ANY).serializer(), Json.serde(Json.ANY).deserializer());
    }
}
