package bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;

/** Main WORKLOAD[:FORMAT] ORDERS CUSTOMERS OUT EXPECTED APP_ID STATE_DIR BOOTSTRAP [name=value ...]
 *  Closes itself (commit, flush) once EXPECTED records went through the processors; 0 runs until SIGTERM. */
public final class Main {
    public static void main(final String[] a) throws Exception {
        final String[] asked = a[0].split(":");
        final long expected = Long.parseLong(a[4]);
        final Properties p = new Properties();
        p.put(StreamsConfig.APPLICATION_ID_CONFIG, a[5]);
        p.put(StreamsConfig.STATE_DIR_CONFIG, a[6]);
        p.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, a[7]);
        p.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 4);
        p.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        for (int i = 8; i < a.length; i++) {
            final int eq = a[i].indexOf('=');
            p.put(a[i].substring(0, eq), a[i].substring(eq + 1));
        }

        final StreamsBuilder builder = new StreamsBuilder();
        Topologies.build(asked[0], asked.length > 1 ? asked[1] : "json", builder, a[1], a[2], a[3]);
        final KafkaStreams streams = new KafkaStreams(builder.build(), p);
        final CountDownLatch stop = new CountDownLatch(1);
        final Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.countDown();
            try {
                main.join(20_000);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        streams.start();
        long next = 0;
        List<Metric> processed = List.of();
        while (stop.getCount() > 0) {
            Thread.sleep(10);
            if (processed.size() < 4) {
                processed = streams.metrics().entrySet().stream()
                    .filter(e -> e.getKey().name().equals("process-total")
                        && e.getKey().group().equals("stream-thread-metrics"))
                    .<Metric>map(Map.Entry::getValue).toList();
            }
            double n = 0;
            for (final Metric m : processed) {
                n += (Double) m.metricValue();
            }
            final long now = System.currentTimeMillis();
            if (n > 0 && now >= next) {
                System.out.println("PEER at " + now + " " + (long) n);
                next = now + 1_000;
            }
            if (expected > 0 && n >= expected) {
                System.out.println("PEER at " + now + " " + (long) n);
                break;
            }
            if (streams.state() == KafkaStreams.State.ERROR) {
                System.out.println("PEER error");
                break;
            }
        }
        streams.close(Duration.ofSeconds(60));
        System.out.println("PEER closed " + System.currentTimeMillis());
    }
}
