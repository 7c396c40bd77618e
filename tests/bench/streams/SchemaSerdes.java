package bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData.StringType;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/**
 * Orders in Confluent's frame, read as Confluent's deserializers read them without generated classes: the id of the
 * schema, for Protobuf the message indexes, then Avro into a GenericRecord or Protobuf into a DynamicMessage. Their own
 * jars are in no repository that these tests reach, so the id is known here and no registry is asked.
 */
final class SchemaSerdes {

    private static final int ID = 1;
    private static final String[] FIELDS =
        {"order_id", "customer_id", "region", "product", "amount", "ts", "currency", "channel"};

    private SchemaSerdes() {
    }

    /** json, avro or protobuf. */
    static Serde<Topologies.Order> orders(final String format) {
        return switch (format) {
            case "avro" -> read(avro());
            case "protobuf" -> read(protobuf());
            default -> new JsonSerde<>(Topologies.Order.class);
        };
    }

    private static Serde<Topologies.Order> read(final Deserializer<Topologies.Order> deserializer) {
        return Serdes.serdeFrom((topic, order) -> {
            throw new SerializationException("Orders are only read.");
        }, deserializer);
    }

    private static ByteBuffer unframe(final byte[] data) {
        final ByteBuffer buffer = ByteBuffer.wrap(data);
        if (buffer.get() != 0 || buffer.getInt() != ID) {
            throw new SerializationException("Unknown magic byte or id.");
        }
        return buffer;
    }

    private static Deserializer<Topologies.Order> avro() {
        final SchemaBuilder.FieldAssembler<Schema> fields = SchemaBuilder.record("Order").fields();
        for (final String name : FIELDS) {
            switch (name) {
                case "amount" -> fields.requiredDouble(name);
                case "ts" -> fields.requiredLong(name);
                default -> fields.requiredString(name);
            }
        }
        final Schema schema = fields.endRecord();
        schema.getFields().stream().filter(field -> field.schema().getType() == Schema.Type.STRING)
            .forEach(field -> GenericData.setStringType(field.schema(), StringType.String));
        final ThreadLocal<GenericDatumReader<GenericRecord>> reader =
            ThreadLocal.withInitial(() -> new GenericDatumReader<>(schema));
        final ThreadLocal<BinaryDecoder> reused = new ThreadLocal<>();
        return (topic, data) -> {
            final ByteBuffer buffer = unframe(data);
            final BinaryDecoder decoder =
                DecoderFactory.get().binaryDecoder(data, buffer.position(), buffer.remaining(), reused.get());
            reused.set(decoder);
            try {
                final GenericRecord o = reader.get().read(null, decoder);
                return new Topologies.Order((String) o.get(0), (String) o.get(1), (String) o.get(2), (String) o.get(3),
                    (Double) o.get(4), (Long) o.get(5), (String) o.get(6), (String) o.get(7));
            } catch (final IOException e) {
                throw new SerializationException(e);
            }
        };
    }

    private static Deserializer<Topologies.Order> protobuf() {
        final DescriptorProto.Builder message = DescriptorProto.newBuilder().setName("Order");
        for (int number = 1; number <= FIELDS.length; number++) {
            final String name = FIELDS[number - 1];
            final Type type = switch (name) {
                case "amount" -> Type.TYPE_DOUBLE;
                case "ts" -> Type.TYPE_INT64;
                default -> Type.TYPE_STRING;
            };
            message.addField(FieldDescriptorProto.newBuilder().setName(name).setNumber(number).setType(type));
        }
        final FileDescriptorProto file =
            FileDescriptorProto.newBuilder().setName("order.proto").setSyntax("proto3").addMessageType(message).build();
        final Descriptor order;
        try {
            order = FileDescriptor.buildFrom(file, new FileDescriptor[0]).getMessageTypes().get(0);
        } catch (final DescriptorValidationException e) {
            throw new SerializationException(e);
        }
        return (topic, data) -> {
            final ByteBuffer buffer = unframe(data);
            if (buffer.get() != 0) {
                throw new SerializationException("Another message than the first.");
            }
            try {
                final DynamicMessage o = DynamicMessage.parseFrom(order, ByteString.copyFrom(buffer));
                final Object[] v = order.getFields().stream().map(o::getField).toArray();
                return new Topologies.Order((String) v[0], (String) v[1], (String) v[2], (String) v[3], (Double) v[4],
                    (Long) v[5], (String) v[6], (String) v[7]);
            } catch (final InvalidProtocolBufferException e) {
                throw new SerializationException(e);
            }
        };
    }
}
