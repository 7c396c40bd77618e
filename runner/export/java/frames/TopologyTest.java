package streamwright;

// imports

/** The test cases of the topology, in Kafka Streams' own test driver. */
class ${class_name}Test {

    private static Cases cases() {
        Cases cases = new Cases($class_name.topology(), $class_name.settings());
$topics
        return cases;
    }
$tests}
