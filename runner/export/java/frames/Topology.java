package streamwright;

// imports

$name
@SuppressWarnings({"unchecked", "rawtypes", "deprecation"})
public final class $class_name {
$constants
    private $class_name() {
    }

    /** Runs the topology on the cluster that BOOTSTRAP_SERVERS names. */
    public static void main(String[] arguments) {
        Properties config = settings();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, System.getenv().getOrDefault("APPLICATION_ID", $application));
        config.put(
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, System.getenv().getOrDefault("BOOTSTRAP_SERVERS", "localhost:9092"));
        KafkaStreams streams = new KafkaStreams(topology(), config);
        Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
        streams.start();
    }

    /** With these the results are those of Streamwright: each update goes on, once, and nothing is optimised. */
    static Properties settings() {
        Properties config = new Properties();
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, "0");
        config.put(StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG, StreamsConfig.NO_OPTIMIZATION);
$defaults        return config;
    }

    /** The topology, a step for each node of the graph. */
    public static Topology topology() {
        StreamsBuilder builder = new StreamsBuilder();
$statements
        return builder.build(settings());
    }
$methods}
