package streamwright;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Map;
import org.apache.kafka.streams.kstream.Windows;
import org.apache.kafka.streams.kstream.internals.TimeWindow;

/** Days, weeks, months or years of a zone, in the manner of DailyTimeWindows in kafka-streams-examples. */
final class CalendarWindows extends Windows<TimeWindow> {

    private final ChronoUnit unit;
    private final int count;
    private final ZoneId zone;
    private final DayOfWeek weekStart;
    private final int startHour;
    private final long size;
    private final long grace;

    /** `size` is what no window exceeds, in ms. */
    CalendarWindows(ChronoUnit unit, int count, ZoneId zone, DayOfWeek weekStart, int startHour, long size, long grace) {
        this.unit = unit;
        this.count = count;
        this.zone = zone;
        this.weekStart = weekStart;
        this.startHour = startHour;
        this.size = size;
        this.grace = grace;
    }

    @Override
    public Map<Long, TimeWindow> windowsFor(long timestamp) {
        if (timestamp < 0) {
            return Map.of();
        }
        TimeWindow window = at(timestamp);
        return Map.of(window.start(), window);
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long gracePeriodMs() {
        return grace;
    }

    /** The end of the window that begins then: Kafka Streams' serdes and stores only know size(). */
    long end(long start) {
        return at(start).end();
    }

    private TimeWindow at(long timestamp) {
        LocalDate day = Instant.ofEpochMilli(timestamp).atZone(zone).toLocalDateTime().minusHours(startHour).toLocalDate();
        long index = index(day);
        while (start(index) > timestamp) {
            index--;
        }
        while (start(index + 1) <= timestamp) {
            index++;
        }
        return new TimeWindow(Math.max(0, start(index)), start(index + 1));
    }

    private long start(long index) {
        return first().plus(index * count, unit).atTime(LocalTime.of(startHour, 0)).atZone(zone).toInstant().toEpochMilli();
    }

    private long index(LocalDate day) {
        long units = switch (unit) {
            case WEEKS -> Math.floorDiv(ChronoUnit.DAYS.between(first(), day), 7L);
            case MONTHS -> (day.getYear() - 1970) * 12L + day.getMonthValue() - 1;
            case YEARS -> day.getYear() - 1970;
            default -> day.toEpochDay();
        };
        return Math.floorDiv(units, count);
    }

    private LocalDate first() {
        LocalDate epoch = LocalDate.EPOCH;
        return unit == ChronoUnit.WEEKS ? epoch.with(TemporalAdjusters.previousOrSame(weekStart)) : epoch;
    }
}
