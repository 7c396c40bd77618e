package oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Map;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.Windows;
import org.apache.kafka.streams.kstream.internals.TimeWindow;

/** Days, weeks, months or years of a zone, in the manner of DailyTimeWindows in kafka-streams-examples. */
final class CalendarWindows extends Windows<TimeWindow> {

    private final String unit;
    private final int count;
    private final ZoneId zone;
    private final DayOfWeek weekStart;
    private final int startHour;
    private final long size;
    private final long grace;

    CalendarWindows(JsonNode step) {
        unit = step.get("unit").asText();
        count = step.path("count").asInt(1);
        zone = ZoneId.of(step.get("zone").asText());
        weekStart = DayOfWeek.valueOf(step.path("week_start").asText("monday").toUpperCase());
        startHour = step.path("start_hour").asInt(0);
        size = step.get("size_ms").asLong();
        grace = step.get("grace_ms").asLong();
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

    /** The same key with the end of its window: Kafka Streams' serdes and stores only know size(). */
    Object withEnd(Object key) {
        return key instanceof Windowed<?> windowed ? new Windowed<>(windowed.key(), at(windowed.window().start())) : key;
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
        return first().plus(index * count, chrono()).atTime(LocalTime.of(startHour, 0)).atZone(zone).toInstant().toEpochMilli();
    }

    private long index(LocalDate day) {
        long units = switch (unit) {
            case "week" -> Math.floorDiv(ChronoUnit.DAYS.between(first(), day), 7);
            case "month" -> (day.getYear() - 1970) * 12L + day.getMonthValue() - 1;
            case "year" -> day.getYear() - 1970;
            default -> day.toEpochDay();
        };
        return Math.floorDiv(units, count);
    }

    private LocalDate first() {
        LocalDate epoch = LocalDate.EPOCH;
        return unit.equals("week") ? epoch.with(TemporalAdjusters.previousOrSame(weekStart)) : epoch;
    }

    private ChronoUnit chrono() {
        return ChronoUnit.valueOf(unit.toUpperCase() + "S");
    }
}
