package streamwright;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Confluent's wire format: a byte 0 and the 4 bytes of a schema's id before the data. SCHEMA_REGISTRY_URL is the
 * registry with these ids, and SCHEMA_REGISTRY_USER_INFO its user and password (user:password).
 */
final class SchemaFrame {

    private static final int BYTES = 5;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<String, Integer> OWN_IDS = new HashMap<>();
    private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private static boolean usesOwnIds;

    private final Map<Integer, String> schemas = new ConcurrentHashMap<>();
    private final Map<String, Integer> ids = new ConcurrentHashMap<>();
    private final Source source;
    private boolean asksRegistry;

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
     * the subject must have it. A subject that begins with a hyphen comes after the name of the topic.
     */
    static SchemaFrame registered(boolean register, String kind, String schema, String subject) {
        return new SchemaFrame(topic -> {
            if (usesOwnIds) {
                return ownId(schema);
            }
            String name = subject.startsWith("-") ? topic + subject : subject;
            String path = "/subjects/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
            String body = MAPPER.createObjectNode().put("schema", schema).put("schemaType", kind).toString();
            return ask(register ? path + "/versions" : path, body).get("id").asInt();
        }).asks();
    }

    /** Reads records with this id. */
    SchemaFrame knows(int id, String schema) {
        schemas.put(id, schema);
        return this;
    }

    /** Asks the registry for the schemas of other ids. */
    SchemaFrame asks() {
        asksRegistry = true;
        return this;
    }

    /** The data of a record with the bytes before it. */
    byte[] put(String topic, byte[] data) {
        if (source == null) {
            return data;
        }
        Integer id = ids.computeIfAbsent(topic, name -> waitFor(() -> source.id(name)));
        return ByteBuffer.allocate(BYTES + data.length).put((byte) 0).putInt(id).put(data).array();
    }

    /** The schema that a record is written with, or null if the record does not name it. */
    String schema(byte[] record) {
        if (source == null) {
            return null;
        }
        if (record.length < BYTES || record[0] != 0) {
            throw new SerializationException("The record does not begin with a byte 0 and 4 bytes of schema id.");
        }
        return schemas.computeIfAbsent(ByteBuffer.wrap(record, 1, 4).getInt(), this::fetch);
    }

    /** What follows the bytes that name the schema. */
    ByteBuffer data(byte[] record) {
        int start = source == null ? 0 : BYTES;
        return ByteBuffer.wrap(record, start, record.length - start).slice();
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

    private String fetch(int id) {
        for (Map.Entry<String, Integer> own : OWN_IDS.entrySet()) {
            if (own.getValue() == id) {
                return own.getKey();
            }
        }
        if (!asksRegistry) {
            throw new SerializationException("No schema with the id " + id + " is known for this topic.");
        }
        return waitFor(() -> ask("/schemas/ids/" + id, null).get("schema").asText());
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
