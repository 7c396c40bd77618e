package streamwright;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Confluent's wire format: a byte 0 and the 4 bytes of a schema's id, before the data or in a header of the record. A
 * header may have a byte 1 and the 16 bytes of a GUID instead.
 * SCHEMA_REGISTRY_URL is the registry with these ids, and SCHEMA_REGISTRY_USER_INFO its user and password
 * (user:password).
 */
final class SchemaFrame {

    private static final int BYTES = 5;
    private static final int GUID_BYTES = 17;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<String, Integer> OWN_IDS = new HashMap<>();
    private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private static boolean usesOwnIds;

    private final Map<Object, List<String>> schemas = new ConcurrentHashMap<>();
    private final Map<String, byte[]> ids = new ConcurrentHashMap<>();
    private final Source source;
    private boolean asksRegistry;
    private String header;
    private boolean writesHeader;
    private boolean writesGuid;

    /** A Protobuf file that others import. Its path is its subject, and `imports` are paths of files before it. */
    record File(String path, String text, String... imports) {
    }

    /** Gives the id for records of a topic, or null if they have no frame. */
    private interface Source {
        Integer id(String topic) throws IOException, InterruptedException;
    }

    private SchemaFrame(Source source) {
        this.source = source;
    }

    /** Lets tests run without a registry: ids count from 1,000,000,000 on. */
    static void useOwnIds() {
        usesOwnIds = true;
    }

    /** Only the data. */
    static SchemaFrame none() {
        return new SchemaFrame(null);
    }

    /** Writes this id. */
    static SchemaFrame of(int id) {
        return new SchemaFrame(topic -> id);
    }

    /**
     * Writes the id that the registry has for a schema. `register` adds it to the subject if the subject lacks it; else
     * the subject must have it. A subject that begins with a hyphen comes after the name of the topic. `files` are those
     * that a Protobuf schema imports, each after those that it imports itself; the last one is the schema.
     */
    static SchemaFrame registered(boolean register, String kind, String schema, String subject, File... files) {
        return new SchemaFrame(topic -> {
            if (usesOwnIds) {
                return ownId(schema);
            }
            Map<String, JsonNode> found = new LinkedHashMap<>();
            for (File file : Arrays.copyOf(files, Math.max(0, files.length - 1))) {
                if (register) {
                    ask(subject(file.path()) + "/versions", body(kind, file, found.values()));
                }
                JsonNode answer = ask(subject(file.path()), body(kind, file, found.values()));
                found.put(file.path(), answer);
            }
            File own = files.length == 0 ? new File("", schema) : files[files.length - 1];
            String path = subject(subject.startsWith("-") ? topic + subject : subject);
            return ask(register ? path + "/versions" : path, body(kind, own, found.values())).get("id").asInt();
        }).asks();
    }

    private static String subject(String name) {
        return "/subjects/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The request that names a schema, with the versions of the files that it imports. */
    private static String body(String kind, File file, Collection<JsonNode> known) {
        ObjectNode body = MAPPER.createObjectNode().put("schema", file.text()).put("schemaType", kind);
        ArrayNode references = body.putArray("references");
        List<String> wanted = List.of(file.imports());
        for (JsonNode each : known) {
            String name = each.get("subject").asText();
            if (wanted.contains(name)) {
                references.addObject().put("name", name).put("subject", name).put("version", each.get("version").asInt());
            }
        }
        return body.toString();
    }

    /** Reads records with this id. */
    SchemaFrame knows(int id, String schema) {
        schemas.put(id, List.of(schema));
        return this;
    }

    /** Asks the registry for the schemas of other ids. */
    SchemaFrame asks() {
        asksRegistry = true;
        return this;
    }

    /** Reads the id in this header of a record before one at the beginning of the data. */
    SchemaFrame readsHeader(String name) {
        header = name;
        return this;
    }

    /** Writes the id into this header, and the data alone. */
    SchemaFrame writesHeader(String name) {
        writesHeader = true;
        return readsHeader(name);
    }

    /** Writes the GUID that the registry has for the schema into this header. */
    SchemaFrame writesGuid(String name) {
        writesGuid = true;
        return writesHeader(name);
    }

    /** A type of a union that has a schema of its own. */
    record Type(String tag, Serde<?> serde) {
    }

    /** The serde of a union whose types have a schema each. `all` reads them. */
    @SuppressWarnings("unchecked")
    static Serde<Sql.Union> byType(Serde<Sql.Union> all, Type... types) {
        Map<String, Serde<Object>> serdes = new HashMap<>();
        for (Type type : types) {
            serdes.put(type.tag(), (Serde<Object>) type.serde());
        }
        Serializer<Sql.Union> serializer = new Serializer<>() {
            @Override
            public byte[] serialize(String topic, Sql.Union value) {
                return serialize(topic, new RecordHeaders(), value);
            }

            @Override
            public byte[] serialize(String topic, Headers headers, Sql.Union value) {
                if (value == null) {
                    return null;
                }
                if (!serdes.containsKey(value.tag())) {
                    throw new SerializationException("No schema is known for " + value.tag() + ".");
                }
                return serdes.get(value.tag()).serializer().serialize(topic, headers, value.value());
            }
        };
        return Serdes.serdeFrom(serializer, all.deserializer());
    }

    /** Makes a value of the data of a record. */
    interface Reader<T> {
        /**
         * `schema` is the one that the record is written with, behind those that it refers to, or null if the record does
         * not name it. `indexes` has what follows the id: Confluent's indexes of a Protobuf message. It is `data` itself
         * if the id comes before the data.
         */
        T read(List<String> schema, ByteBuffer indexes, ByteBuffer data);
    }

    /** The serde of values that `write` makes data of, and `read` reads. */
    <T> Serde<T> serde(Function<T, byte[]> write, Reader<T> read) {
        return serde(write, value -> new byte[0], read);
    }

    /** The same with Confluent's `indexes` of a Protobuf message, which are written behind the id. */
    <T> Serde<T> serde(Function<T, byte[]> write, Function<T, byte[]> indexes, Reader<T> read) {
        Serializer<T> serializer = new Serializer<>() {
            @Override
            public byte[] serialize(String topic, T value) {
                return serialize(topic, new RecordHeaders(), value);
            }

            @Override
            public byte[] serialize(String topic, Headers headers, T value) {
                return value == null ? null : put(topic, headers, write.apply(value), indexes.apply(value));
            }
        };
        Deserializer<T> deserializer = new Deserializer<>() {
            @Override
            public T deserialize(String topic, byte[] record) {
                return deserialize(topic, new RecordHeaders(), record);
            }

            @Override
            public T deserialize(String topic, Headers headers, byte[] record) {
                return record == null ? null : take(headers, record, read);
            }
        };
        return Serdes.serdeFrom(serializer, deserializer);
    }

    private byte[] put(String topic, Headers headers, byte[] data, byte[] indexes) {
        if (source == null) {
            return data;
        }
        byte[] id = ids.computeIfAbsent(topic, name -> waitFor(() -> idBytes(source.id(name))));
        ByteBuffer frame = ByteBuffer.allocate(id.length + indexes.length + (writesHeader ? 0 : data.length));
        frame.put(id).put(indexes);
        headers.remove(header); // a header of the record that was read names another schema
        if (!writesHeader) {
            return frame.put(data).array();
        }
        headers.add(header, frame.array());
        return data;
    }

    /** A byte 0 and the id, or a byte 1 and the GUID of that id. */
    private byte[] idBytes(int id) throws IOException, InterruptedException {
        if (!writesGuid) {
            return ByteBuffer.allocate(BYTES).put((byte) 0).putInt(id).array();
        }
        JsonNode found = usesOwnIds ? null : ask("/schemas/ids/" + id, null).get("guid");
        if (found == null && !usesOwnIds) {
            throw new SerializationException("The schema registry gives schemas no GUID.");
        }
        UUID guid = found == null ? new UUID(0, id) : UUID.fromString(found.asText());
        return ByteBuffer.allocate(GUID_BYTES).put((byte) 1)
            .putLong(guid.getMostSignificantBits()).putLong(guid.getLeastSignificantBits()).array();
    }

    private <T> T take(Headers headers, byte[] record, Reader<T> read) {
        if (source == null) {
            return read.read(null, null, ByteBuffer.wrap(record));
        }
        Header named = headers.lastHeader(header);
        byte[] content = named == null || named.value() == null ? new byte[0] : named.value();
        boolean hasGuid = content.length >= GUID_BYTES && content[0] == 1;
        boolean isNamed = hasGuid || (content.length >= BYTES && content[0] == 0);
        ByteBuffer frame = ByteBuffer.wrap(isNamed ? content : record);
        if (frame.remaining() < BYTES || frame.get() != (hasGuid ? 1 : 0)) {
            throw new SerializationException("The record does not begin with a byte 0 and 4 bytes of schema id.");
        }
        Object id = hasGuid ? new UUID(frame.getLong(), frame.getLong()) : (Object) frame.getInt();
        List<String> schema = schemas.computeIfAbsent(id, this::fetch);
        return read.read(schema, frame, isNamed ? ByteBuffer.wrap(record) : frame);
    }

    private static synchronized int ownId(String schema) {
        OWN_IDS.putIfAbsent(schema, 1_000_000_000 + OWN_IDS.size());
        return OWN_IDS.get(schema);
    }

    private static <T> T waitFor(Callable<T> request) {
        try {
            return request.call();
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new SerializationException(error);
        } catch (RuntimeException error) {
            throw error;
        } catch (Exception error) {
            throw new SerializationException(error);
        }
    }

    private List<String> fetch(Object id) {
        for (Map.Entry<String, Integer> own : OWN_IDS.entrySet()) {
            if (id.equals(own.getValue()) || id.equals(new UUID(0, own.getValue()))) {
                return List.of(own.getKey());
            }
        }
        if (!asksRegistry) {
            throw new SerializationException("No schema with the id " + id + " is known for this topic.");
        }
        String path = (id instanceof UUID ? "/schemas/guids/" : "/schemas/ids/") + id;
        Map<String, String> found = new LinkedHashMap<>();
        waitFor(() -> gather(ask(path, null), "", found));
        return List.copyOf(found.values());
    }

    /** Puts a schema behind those that it refers to, each once. */
    private static boolean gather(JsonNode schema, String name, Map<String, String> found)
        throws IOException, InterruptedException {
        for (JsonNode each : schema.path("references")) {
            String referred = each.get("name").asText();
            if (!found.containsKey(referred)) {
                found.put(referred, ""); // a schema that refers to itself ends here
                String path = subject(each.get("subject").asText()) + "/versions/" + each.get("version").asInt();
                gather(ask(path, null), referred, found);
            }
        }
        found.remove(name); // its place is behind those
        found.put(name, schema.get("schema").asText());
        return true;
    }

    private static JsonNode ask(String path, String body) throws IOException, InterruptedException {
        String url = System.getenv("SCHEMA_REGISTRY_URL");
        if (url == null) {
            throw new SerializationException("Set SCHEMA_REGISTRY_URL to the schema registry's address.");
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url.replaceAll("/+$", "") + path));
        String user = System.getenv("SCHEMA_REGISTRY_USER_INFO");
        if (user != null) {
            byte[] bytes = user.getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
        }
        if (body != null) {
            request.header("Content-Type", "application/vnd.schemaregistry.v1+json");
            request.POST(HttpRequest.BodyPublishers.ofString(body));
        }
        HttpResponse<String> answer = CLIENT.send(
            request.timeout(Duration.ofSeconds(10)).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new SerializationException("The schema registry answers " + answer.statusCode() + ": " + answer.body());
        }
        return MAPPER.readTree(answer.body());
    }
}
