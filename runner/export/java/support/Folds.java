package streamwright;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Functions over the records of a group: each takes what it has so far and a value that is not null. */
final class Folds {

    private Folds() {
    }

    static Long count(Object part, Object value) {
        return Math.addExact((Long) part, 1L);
    }

    static Long countTake(Object part, Object value) {
        return Math.subtractExact((Long) part, 1L);
    }

    static Long countMerge(Object part, Object other) {
        return Math.addExact((Long) part, (Long) other);
    }

    static Object sum(Object part, Object value) {
        return part == null ? Sql.asNumber(value) : Sql.plus(part, Sql.asNumber(value));
    }

    static BigDecimal sum(Object part, Object value, int precision, int scale) {
        return part == null ? Sql.fit(value, precision, scale) : Sql.plus(part, value, precision, scale);
    }

    static Object sumMerge(Object part, Object other) {
        return other == null ? part : sum(part, other);
    }

    static Object sumMerge(Object part, Object other, int precision, int scale) {
        return other == null ? part : sum(part, other, precision, scale);
    }

    /** An integer total too wide for 64 bits goes on as a double, since the average is one. */
    static Map<String, Object> avg(Object part, Object value) {
        return avgMerge(part, total(Sql.asNumber(value), 1));
    }

    static Map<String, Object> avg(Object part, Object value, int precision, int scale) {
        return avgMerge(part, total(value, 1), precision, scale);
    }

    static Map<String, Object> avgTake(Object part, Object value) {
        return part == null || count(part) <= 1 ? null : total(wide(total(part), Sql.negate(value)), count(part) - 1);
    }

    static Map<String, Object> avgTake(Object part, Object value, int precision, int scale) {
        return part == null || count(part) <= 1 ? null
            : total(Sql.minus(total(part), value, precision, scale), count(part) - 1);
    }

    static Map<String, Object> avgMerge(Object part, Object other) {
        return part == null || other == null ? Sql.asMapOrNull(part == null ? other : part)
            : total(wide(total(part), total(other)), count(part) + count(other));
    }

    static Map<String, Object> avgMerge(Object part, Object other, int precision, int scale) {
        return part == null || other == null ? Sql.asMapOrNull(part == null ? other : part)
            : total(Sql.plus(total(part), total(other), precision, scale), count(part) + count(other));
    }

    static Double average(Object part) {
        return part == null ? null : (Double) (Sql.toDouble(total(part)) / count(part));
    }

    static BigDecimal average(Object part, int precision, int scale) {
        return part == null ? null : Sql.quotient(total(part), count(part), precision, scale);
    }

    private static Object wide(Object total, Object value) {
        try {
            return Sql.plus(total, value);
        } catch (ArithmeticException tooWide) {
            return Sql.toDouble(total) + Sql.toDouble(value);
        }
    }

    private static Map<String, Object> total(Object total, long count) {
        return Sql.struct("total", total, "count", count);
    }

    private static Object total(Object part) {
        return Sql.member(part, "total");
    }

    private static long count(Object part) {
        return (Long) Sql.member(part, "count");
    }

    static Object min(Object part, Object value) {
        return part == null || Sql.less(value, part) ? value : part;
    }

    static Object minMerge(Object part, Object other) {
        return other == null ? part : min(part, other);
    }

    static Object max(Object part, Object value) {
        return part == null || Sql.more(value, part) ? value : part;
    }

    static Object maxMerge(Object part, Object other) {
        return other == null ? part : max(part, other);
    }

    static Object first(Object part, Object value) {
        return part == null ? value : part;
    }

    static Object firstMerge(Object part, Object other) {
        return first(part, other);
    }

    static Object last(Object part, Object value) {
        return value;
    }

    static Object lastMerge(Object part, Object other) {
        return other == null ? part : other;
    }

    static List<Object> collect(Object part, Object value) {
        List<Object> items = new ArrayList<>(Sql.asList(part));
        items.add(value);
        return items;
    }

    static List<Object> collectTake(Object part, Object value) {
        List<Object> items = new ArrayList<>(Sql.asList(part));
        items.remove(value);
        return items;
    }

    static List<Object> collectMerge(Object part, Object other) {
        List<Object> items = new ArrayList<>(Sql.asList(part));
        items.addAll(Sql.asList(other));
        return items;
    }
}
