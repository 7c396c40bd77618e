package streamwright;

import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What SQL's expressions do and Java has no equal of: three truth values, numbers whose kind shows at run time, texts
 * counted in code points. Numbers are Long, Double or BigDecimal; structs and maps are Map, lists are List. What cannot
 * be computed is an ArithmeticException, which Kafka Streams hands to its processing exception handler.
 */
final class Sql {

    private static final Pattern WHOLE = Pattern.compile("\\s*[+-]?[0-9]{1,40}\\s*");
    private static final Pattern NUMBER =
        Pattern.compile("\\s*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,5})?\\s*");
    private static final Pattern TIME = Pattern.compile(
        "(\\d{4})-(\\d{2})-(\\d{2})(?:[Tt ](\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?)?"
        + "(?: ?(?:[Zz]|([+-])(\\d{2})(?::?(\\d{2})(?::?(\\d{2}))?)?))?");
    private static final Pattern CONVERSION =
        Pattern.compile("%(?:(\\d+)\\$)?[-#+ 0,(]*\\d*(?:\\.\\d+)?([a-zA-Z%])");
    private static final Pattern FORMAT = Pattern.compile("yyyy|MM|dd|HH|mm|ss|SSS|'([^']*)'|[^A-Za-z']+");
    private static final MathContext DIGITS = new MathContext(38, RoundingMode.HALF_UP);
    private static final int UNORDERED = 2;

    private Sql() {
    }

    /** A value of a union, with the name of its type. In JSON it is the value alone. */
    record Union(String tag, Object value) {

        @Override
        @JsonValue
        public Object value() {
            return value;
        }
    }

    // ---- values and their parts

    /** The field of a struct, or the value of a map's key; null where there is none. */
    static Object get(Map<String, Object> of, String name) {
        return of == null ? null : of.get(name);
    }

    /** The same of a value that may be anything. */
    static Object member(Object of, String name) {
        if (of == null) {
            return null;
        }
        if (of instanceof Map<?, ?> fields) {
            return fields.get(name);
        }
        throw fault("Field " + name + " was read from " + nameType(of) + "; expected a struct.");
    }

    static Object item(List<Object> items, long position) {
        if (position < 0 || position >= items.size()) {
            throw fault("There is no item [" + position + "] in a list of " + items.size() + ".");
        }
        return items.get((int) position);
    }

    static Object entry(Object of, Object place) {
        return place instanceof String name ? member(of, name) : item(asList(of), asLong(place));
    }

    /** A struct, or a map, of names that are each followed by their value. */
    static Map<String, Object> struct(Object... namesAndValues) {
        Map<String, Object> result = new LinkedHashMap<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            if (namesAndValues[at] == null) {
                throw fault("A key of the map is null.");
            }
            result.put((String) namesAndValues[at], namesAndValues[at + 1]);
        }
        return result;
    }

    static Map<String, Object> entries(Object... keysAndValues) {
        return struct(keysAndValues);
    }

    // ---- comparing

    static boolean isTrue(Boolean condition) {
        return condition != null && condition;
    }

    static boolean equal(Object left, Object right) {
        return order(left, right) == 0;
    }

    static boolean unequal(Object left, Object right) {
        return order(left, right) != 0;
    }

    static boolean less(Object left, Object right) {
        return order(left, right) < 0;
    }

    static boolean atMost(Object left, Object right) {
        return order(left, right) <= 0;
    }

    static boolean more(Object left, Object right) {
        return order(left, right) == 1;
    }

    static boolean atLeast(Object left, Object right) {
        int order = order(left, right);
        return order == 0 || order == 1;
    }

    /** Equal, or both null. */
    static boolean same(Object left, Object right) {
        return left == null || right == null ? left == right : equal(left, right);
    }

    /** Equal, and neither is null. */
    static boolean isEqual(Object left, Object right) {
        return left != null && right != null && equal(left, right);
    }

    static Boolean within(Object value, Object... items) {
        Boolean result = false;
        for (Object item : items) {
            if (item == null) {
                result = null;
            } else if (equal(value, item)) {
                return true;
            }
        }
        return result;
    }

    static Boolean between(Object value, Object low, Object high) {
        Boolean above = low == null ? null : (Boolean) atLeast(value, low);
        Boolean below = high == null ? null : (Boolean) atMost(value, high);
        if (Boolean.FALSE.equals(above) || Boolean.FALSE.equals(below)) {
            return false;
        }
        return above == null || below == null ? null : Boolean.TRUE;
    }

    /** -1, 0 or 1, and UNORDERED where one is not a number. Integers and doubles are compared exactly. */
    private static int order(Object left, Object right) {
        if (isNumber(left) && isNumber(right)) {
            return orderOfNumbers(left, right);
        }
        if (left instanceof String one && right instanceof String other) {
            return orderOfTexts(one, other);
        }
        if (left instanceof Boolean one && right instanceof Boolean other) {
            return Boolean.compare(one, other);
        }
        if (left instanceof byte[] one && right instanceof byte[] other) {
            return Integer.signum(Arrays.compareUnsigned(one, other));
        }
        throw fault("A value that is " + nameType(left) + " cannot be compared with one that is " + nameType(right) + ".");
    }

    private static int orderOfNumbers(Object left, Object right) {
        boolean doubles = left instanceof Double && right instanceof Double;
        boolean areMixed = (left instanceof Double && right instanceof BigDecimal)
            || (left instanceof BigDecimal && right instanceof Double);
        double one = ((Number) left).doubleValue();
        double other = ((Number) right).doubleValue();
        boolean special = !Double.isFinite(one) || !Double.isFinite(other);
        if (doubles || areMixed || special) {
            return one < other ? -1 : one == other ? 0 : one > other ? 1 : UNORDERED;
        }
        return exact(left).compareTo(exact(right));
    }

    /** By code points: a surrogate stands for one that is greater than any character without. */
    private static int orderOfTexts(String one, String other) {
        for (int at = 0; at < Math.min(one.length(), other.length()); at++) {
            char a = one.charAt(at);
            char b = other.charAt(at);
            if (a != b) {
                boolean high = Character.isSurrogate(a);
                return high == Character.isSurrogate(b) ? Integer.signum(a - b) : high ? 1 : -1;
            }
        }
        return Integer.signum(one.length() - other.length());
    }

    private static boolean isNumber(Object value) {
        return value instanceof Number;
    }

    /** Equal as values of one type, nulls and whole lists included. */
    private static boolean alike(Object left, Object right) {
        return isNumber(left) && isNumber(right) ? orderOfNumbers(left, right) == 0 : java.util.Objects.deepEquals(left, right);
    }

    static Object nullif(Object value, Object other) {
        return alike(value, other) ? null : value;
    }

    static Object greatest(Object... values) {
        Object most = null;
        for (Object value : values) {
            most = value != null && (most == null || more(value, most) || isnan(value) && !isnan(most)) ? value : most;
        }
        return most;
    }

    static Object least(Object... values) {
        Object least = null;
        for (Object value : values) {
            least = value != null && (least == null || less(value, least) || isnan(least) && !isnan(value)) ? value : least;
        }
        return least;
    }

    static String typeof(Object value) {
        return value == null ? "void"
            : value instanceof Long || value instanceof BigInteger ? "bigint"
            : value instanceof Double ? "double"
            : value instanceof BigDecimal ? "decimal"
            : value instanceof String ? "string"
            : value instanceof Boolean ? "boolean"
            : value instanceof byte[] ? "binary"
            : value instanceof List ? "array"
            : value instanceof Union ? "union"
            : "struct";
    }

    // ---- values of a type that shows at run time

    static Long asLong(Object value) {
        return value instanceof BigInteger ? toLong(value) : expect(Long.class, value, "an integer");
    }

    static Double asDouble(Object value) {
        return toDouble(asNumber(value));
    }

    static Boolean asBoolean(Object value) {
        return expect(Boolean.class, value, "true or false");
    }

    static String asString(Object value) {
        return expect(String.class, value, "a string");
    }

    static byte[] asBytes(Object value) {
        return expect(byte[].class, value, "bytes");
    }

    static Object asNumber(Object value) {
        Object number = expect(Number.class, value, "a number");
        return number instanceof BigInteger ? (Object) toLong(number) : number;
    }

    static Object asReal(Object value) {
        Object number = asNumber(value);
        return number instanceof BigDecimal ? (Object) toDouble(number) : number;
    }

    @SuppressWarnings("unchecked")
    static List<Object> asList(Object value) {
        return expect(List.class, value, "a list");
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> asMap(Object value) {
        return expect(Map.class, value, "a map");
    }

    static Map<String, Object> asMapOrNull(Object value) {
        return value == null ? null : asMap(value);
    }

    static Object asItems(Object value) {
        return value instanceof List ? value : asMap(value);
    }

    static Union asUnion(Object value) {
        return expect(Union.class, value, "a value of a union");
    }

    static Union unionValue(String tag, Object value) {
        return value == null ? null : new Union(tag, value);
    }

    static Object unionExtract(Union union, String tag) {
        return union.tag().equals(tag) ? union.value() : null;
    }

    /** Whether a value of a union has this type. */
    static boolean isOf(String tag, Object value) {
        return value instanceof Union union && union.tag().equals(tag);
    }

    private static <T> T expect(Class<T> class_, Object value, String what) {
        if (class_.isInstance(value)) {
            return class_.cast(value);
        }
        throw fault("Expected " + what + ", found " + nameType(value) + ".");
    }

    // ---- CAST

    static long toLong(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        if (value instanceof Boolean flag) {
            return flag ? 1 : 0;
        }
        if (value instanceof Double number && number >= -0x1p63 && number < 0x1p63) {
            return number.longValue();
        }
        try {
            if (value instanceof BigDecimal number) {
                return number.setScale(0, RoundingMode.DOWN).longValueExact();
            }
            if (value instanceof BigInteger number) {
                return number.longValueExact();
            }
            if (value instanceof String text && WHOLE.matcher(text).matches()) {
                return new BigInteger(text.strip().replaceFirst("^\\+", "")).longValueExact();
            }
        } catch (ArithmeticException tooWide) {
            throw cannot(value, "an integer of 64 bits");
        }
        throw cannot(value, "an integer of 64 bits");
    }

    static double toDouble(Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        if (value instanceof Boolean flag) {
            return flag ? 1 : 0;
        }
        if (value instanceof String text) {
            if (NUMBER.matcher(text).matches()) {
                return Double.parseDouble(text.strip());
            }
            switch (text.strip().toLowerCase(Locale.ROOT)) {
                case "nan":
                    return Double.NaN;
                case "infinity", "inf", "+infinity", "+inf":
                    return Double.POSITIVE_INFINITY;
                case "-infinity", "-inf":
                    return Double.NEGATIVE_INFINITY;
                default:
            }
        }
        throw cannot(value, "a number");
    }

    static boolean toBoolean(Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        if (value instanceof Number) {
            return orderOfNumbers(value, 0L) != 0;
        }
        if (value instanceof String text) {
            switch (text.strip().toLowerCase(Locale.ROOT)) {
                case "t", "true", "y", "yes", "1":
                    return true;
                case "f", "false", "n", "no", "0":
                    return false;
                default:
            }
        }
        throw cannot(value, "true or false");
    }

    static String text(Object value) {
        if (value instanceof String || value instanceof Boolean || value instanceof Long || value instanceof Double
            || value instanceof BigInteger) {
            return value.toString();
        }
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        if (value instanceof byte[] bytes) {
            try {
                return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            } catch (CharacterCodingException error) {
                throw fault("The bytes are not UTF-8 text.");
            }
        }
        throw cannot(value, "a text");
    }

    static byte[] toBytes(Object value) {
        return value instanceof byte[] bytes ? bytes : asString(value).getBytes(StandardCharsets.UTF_8);
    }

    static BigDecimal toDecimal(Object value, int precision, int scale) {
        if (value instanceof Boolean flag) {
            return fit(flag ? 1L : 0L, precision, scale);
        }
        if (value instanceof Double number && number.isNaN() || value instanceof Double other && other.isInfinite()) {
            throw cannot(value, "a number");
        }
        if (value instanceof String text) {
            if (!NUMBER.matcher(text).matches()) {
                throw cannot(value, "a number");
            }
            return fit(new BigDecimal(text.strip()), precision, scale);
        }
        if (!isNumber(value)) {
            throw cannot(value, "a number");
        }
        return fit(value instanceof Double number ? BigDecimal.valueOf(number) : exact(value), precision, scale);
    }

    static BigDecimal tryDecimal(Object value, int precision, int scale) {
        return attempt(each -> toDecimal(each, precision, scale), value);
    }

    /** TRY_CAST: null where the cast fails. */
    static <T> T attempt(Function<Object, T> cast, Object value) {
        try {
            return cast.apply(value);
        } catch (ArithmeticException error) {
            return null;
        }
    }

    // ---- arithmetic

    static Object plus(Object left, Object right) {
        if (left instanceof Long one && right instanceof Long other) {
            return Math.addExact(one, other);
        }
        return inDoubles(left, right) ? (Object) (toDouble(left) + toDouble(right)) : wide(exact(left).add(exact(right)));
    }

    static Object minus(Object left, Object right) {
        if (left instanceof Long one && right instanceof Long other) {
            return Math.subtractExact(one, other);
        }
        return inDoubles(left, right)
            ? (Object) (toDouble(left) - toDouble(right)) : wide(exact(left).subtract(exact(right)));
    }

    static Object times(Object left, Object right) {
        if (left instanceof Long one && right instanceof Long other) {
            return Math.multiplyExact(one, other);
        }
        return inDoubles(left, right)
            ? (Object) (toDouble(left) * toDouble(right)) : wide(exact(left).multiply(exact(right)));
    }

    static Object remainder(Object left, Object right) {
        if (left instanceof Long one && right instanceof Long other) {
            return one % other;
        }
        return inDoubles(left, right)
            ? (Object) doubleRemainder(toDouble(left), toDouble(right)) : exact(left).remainder(exact(right));
    }

    static double doubleRemainder(double number, double divisor) {
        return number % notZero(divisor);
    }

    static double divide(double number, double divisor) {
        return number / notZero(divisor);
    }

    private static double notZero(double divisor) {
        if (divisor == 0) {
            throw fault("Division by zero.");
        }
        return divisor;
    }

    static long wholeQuotient(Object number, Object divisor) {
        return exact(number).divideToIntegralValue(exact(divisor)).longValueExact();
    }

    static Object negate(Object number) {
        return number instanceof Long whole ? (Object) Math.negateExact(whole)
            : number instanceof Double real ? (Object) (-real) : exact(number).negate();
    }

    private static boolean inDoubles(Object left, Object right) {
        return left instanceof Double || right instanceof Double;
    }

    private static BigDecimal wide(BigDecimal number) {
        if (number.precision() > 38) {
            throw fault("The result has more than 38 digits.");
        }
        return number;
    }

    static BigDecimal exact(Object number) {
        return number instanceof BigDecimal decimal ? decimal
            : number instanceof Long whole ? BigDecimal.valueOf(whole)
            : number instanceof BigInteger whole ? new BigDecimal(whole)
            : new BigDecimal(((Number) number).doubleValue());
    }

    static BigDecimal plus(Object left, Object right, int precision, int scale) {
        return fit(exact(left).add(exact(right)), precision, scale);
    }

    static BigDecimal minus(Object left, Object right, int precision, int scale) {
        return fit(exact(left).subtract(exact(right)), precision, scale);
    }

    static BigDecimal product(Object left, Object right, int precision, int scale) {
        return fit(exact(left).multiply(exact(right), DIGITS), precision, scale);
    }

    static BigDecimal quotient(Object left, Object right, int precision, int scale) {
        return fit(exact(left).divide(exact(right), 38, RoundingMode.HALF_UP), precision, scale);
    }

    static BigDecimal rest(Object left, Object right, int precision, int scale) {
        return fit(exact(left).remainder(exact(right)), precision, scale);
    }

    static BigDecimal roundTo(BigDecimal number, long digits, int precision, int scale, RoundingMode how) {
        return fit(digits < 0 ? number.setScale((int) digits, how) : number, precision, scale, how);
    }

    static BigDecimal fit(Object number, int precision, int scale) {
        return fit(number, precision, scale, RoundingMode.HALF_UP);
    }

    /** A value of decimal(precision, scale); an ArithmeticException where it has too many digits. */
    static BigDecimal fit(Object number, int precision, int scale, RoundingMode how) {
        BigDecimal fitting = exact(number).setScale(scale, how);
        if (fitting.precision() > precision) {
            throw fault("The result does not fit into decimal(" + precision + "," + scale + ").");
        }
        return fitting;
    }

    static Object absolute(Object number) {
        return number instanceof Long whole ? (Object) Math.absExact(whole)
            : number instanceof Double real ? (Object) Math.abs(real) : exact(number).abs();
    }

    static double sign(Object number) {
        return Math.signum(toDouble(number));
    }

    static long ceil(Object number) {
        return whole(number, RoundingMode.CEILING);
    }

    static long floor(Object number) {
        return whole(number, RoundingMode.FLOOR);
    }

    private static long whole(Object number, RoundingMode how) {
        if (number instanceof Double real && !Double.isFinite(real)) {
            throw fault("An integer of 64 bits cannot be " + real + ".");
        }
        return exact(number).setScale(0, how).longValueExact();
    }

    static Object round(Object number) {
        return round(number, 0);
    }

    static Object round(Object number, long digits) {
        return roundTo(number, digits, RoundingMode.HALF_UP);
    }

    static Object bround(Object number) {
        return bround(number, 0);
    }

    static Object bround(Object number, long digits) {
        return roundTo(number, digits, RoundingMode.HALF_EVEN);
    }

    private static Object roundTo(Object number, long digits, RoundingMode how) {
        if (number instanceof Long whole) {
            return digits >= 0 ? whole : digits < -19 ? (Object) 0L
                : (Object) BigDecimal.valueOf(whole).setScale((int) digits, how).longValueExact();
        }
        if (number instanceof Double real) {
            return !Double.isFinite(real) || digits > 340 ? real : digits < -310 ? (Object) 0.0
                : (Object) BigDecimal.valueOf(real).setScale((int) digits, how).doubleValue();
        }
        BigDecimal decimal = exact(number);
        return digits >= decimal.scale() ? decimal
            : digits < -38 ? BigDecimal.ZERO : decimal.setScale((int) digits, how);
    }

    static String formatNumber(Object number, long digits) {
        if (digits < 0) {
            return null;
        }
        if (number instanceof Double real && !Double.isFinite(real)) {
            return real.isNaN() ? "NaN" : real > 0 ? "\u221e" : "-\u221e";
        }
        return String.format(Locale.ROOT, "%,." + digits + "f", exact(number).setScale((int) digits, RoundingMode.HALF_EVEN));
    }

    static Object pmod(Object number, Object divisor) {
        Object left = remainder(number, divisor);
        return less(left, 0L) ? remainder(plus(left, divisor), divisor) : left;
    }

    static Double tryDivide(Object number, Object divisor) {
        return orderOfNumbers(divisor, 0L) == 0 ? null : (Double) (toDouble(number) / toDouble(divisor));
    }

    static double pow(Object base, Object exponent) {
        return Math.pow(toDouble(base), toDouble(exponent));
    }

    static double exp(Object number) {
        return Math.exp(toDouble(number));
    }

    static Double ln(Object number) {
        return toDouble(number) <= 0 ? null : (Double) Math.log(toDouble(number));
    }

    static Double log10(Object number) {
        return toDouble(number) <= 0 ? null : (Double) Math.log10(toDouble(number));
    }

    static Double log2(Object number) {
        return toDouble(number) <= 0 ? null : (Double) (Math.log(toDouble(number)) / Math.log(2));
    }

    static double sqrt(Object number) {
        return Math.sqrt(toDouble(number));
    }

    static double sin(Object number) {
        return Math.sin(toDouble(number));
    }

    static double cos(Object number) {
        return Math.cos(toDouble(number));
    }

    static double tan(Object number) {
        return Math.tan(toDouble(number));
    }

    static double asin(Object number) {
        return Math.asin(toDouble(number));
    }

    static double acos(Object number) {
        return Math.acos(toDouble(number));
    }

    static double atan(Object number) {
        return Math.atan(toDouble(number));
    }

    static double atan2(Object y, Object x) {
        return Math.atan2(toDouble(y), toDouble(x));
    }

    static double radians(Object number) {
        return Math.toRadians(toDouble(number));
    }

    static double degrees(Object number) {
        return Math.toDegrees(toDouble(number));
    }

    static boolean isnan(Object number) {
        return number instanceof Double real && real.isNaN();
    }

    static double nanvl(Object number, Object otherwise) {
        return toDouble(isnan(number) ? otherwise : number);
    }

    // ---- texts, counted in code points

    static long length(Object value) {
        return value instanceof byte[] bytes ? bytes.length : size((String) value);
    }

    private static int size(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String part(String text, long first, long last) {
        int size = size(text);
        int from = (int) Math.max(0, Math.min(first, size));
        int to = (int) Math.max(from, Math.min(last, size));
        int start = text.offsetByCodePoints(0, from);
        return text.substring(start, text.offsetByCodePoints(start, to - from));
    }

    static String substring(String text, long start) {
        return part(text, first(text, start), Long.MAX_VALUE);
    }

    static String substring(String text, long start, long length) {
        return part(text, first(text, start), first(text, start) + length);
    }

    private static long first(String text, long start) {
        return start > 0 ? start - 1 : start < 0 ? size(text) + start : 0;
    }

    static String left(String text, long length) {
        return part(text, 0, length);
    }

    static String right(String text, long length) {
        return length > 0 ? part(text, size(text) - length, Long.MAX_VALUE) : "";
    }

    static String initcap(String text) {
        return Arrays.stream(text.split(" ", -1))
            .map(word -> left(word, 1).toUpperCase(Locale.ROOT) + part(word, 1, Long.MAX_VALUE).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" "));
    }

    static String trim(String text) {
        return btrim(text, " ");
    }

    static String ltrim(String text) {
        return text.replaceFirst("^ +", "");
    }

    static String rtrim(String text) {
        return text.replaceFirst(" +\\z", "");
    }

    static String btrim(String text, String characters) {
        int[] points = text.codePoints().toArray();
        int from = 0;
        int to = points.length;
        while (from < to && characters.indexOf(points[from]) >= 0) {
            from++;
        }
        while (to > from && characters.indexOf(points[to - 1]) >= 0) {
            to--;
        }
        return new String(points, from, to - from);
    }

    static String concat(String... parts) {
        return String.join("", parts);
    }

    static String concatWs(String separator, String... parts) {
        return separator == null ? null
            : Arrays.stream(parts).filter(java.util.Objects::nonNull).collect(Collectors.joining(separator));
    }

    static String replace(String text, String old) {
        return replace(text, old, "");
    }

    static String replace(String text, String old, String new_) {
        return old.isEmpty() ? text : text.replace(old, new_);
    }

    static String translate(String text, String from, String to) {
        int[] old = from.codePoints().toArray();
        int[] instead = to.codePoints().toArray();
        StringBuilder result = new StringBuilder();
        text.codePoints().forEach(point -> {
            int at = 0;
            while (at < old.length && old[at] != point) {
                at++;
            }
            if (at == old.length) {
                result.appendCodePoint(point);
            } else if (at < instead.length) {
                result.appendCodePoint(instead[at]);
            }
        });
        return result.toString();
    }

    static String splitPart(String text, String delimiter, long part) {
        if (part == 0) {
            throw fault("In split_part, parts start at 1, not 0.");
        }
        String[] parts = delimiter.isEmpty() ? new String[] {text} : text.split(Pattern.quote(delimiter), -1);
        long index = part > 0 ? part - 1 : parts.length + part;
        return index >= 0 && index < parts.length ? parts[(int) index] : "";
    }

    static String substringIndex(String text, String delimiter, long count) {
        if (delimiter.isEmpty() || count == 0) {
            return "";
        }
        int at = count > 0 ? -delimiter.length() : text.length();
        for (long number = Math.abs(count); number > 0; number--) {
            at = count > 0 ? text.indexOf(delimiter, at + delimiter.length())
                : text.lastIndexOf(delimiter, at - delimiter.length());
            if (at < 0) {
                return text;
            }
        }
        return count > 0 ? text.substring(0, at) : text.substring(at + delimiter.length());
    }

    static String lpad(String text, long length) {
        return lpad(text, length, " ");
    }

    static String lpad(String text, long length, String fill) {
        return filling(text, length, fill) + left(text, length);
    }

    static String rpad(String text, long length) {
        return rpad(text, length, " ");
    }

    static String rpad(String text, long length, String fill) {
        return left(text, length) + filling(text, length, fill);
    }

    private static String filling(String text, long length, String fill) {
        long missing = length - size(text);
        return missing <= 0 || fill.isEmpty() ? "" : left(fill.repeat((int) (missing / size(fill) + 1)), missing);
    }

    static long instr(String text, String part) {
        return locate(part, text, 1);
    }

    static long locate(String part, String text) {
        return locate(part, text, 1);
    }

    static long locate(String part, String text, long start) {
        if (start <= 0 || start > size(text) + 1L) {
            return 0;
        }
        int at = text.indexOf(part, text.offsetByCodePoints(0, (int) start - 1));
        return at < 0 ? 0 : text.codePointCount(0, at) + 1;
    }

    static long ascii(String text) {
        return text.isEmpty() ? 0 : text.codePointAt(0);
    }

    static String md5(String text) {
        return digest("MD5", text);
    }

    static String sha2(String text, long bits) {
        return bits == 0 ? digest("SHA-256", text)
            : List.of(224L, 256L, 384L, 512L).contains(bits) ? digest("SHA-" + bits, text) : null;
    }

    private static String digest(String name, String text) {
        try {
            byte[] sum = MessageDigest.getInstance(name).digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum);
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error);
        }
    }

    static String hex(Object data) {
        return HexFormat.of().withUpperCase().formatHex(toBytes(data));
    }

    static byte[] unhex(String text) {
        try {
            return HexFormat.of().parseHex(text.length() % 2 == 0 ? text : "0" + text);
        } catch (IllegalArgumentException error) {
            throw cannot(text, "a number of hexadecimal digits");
        }
    }

    static String base64(Object data) {
        return Base64.getEncoder().encodeToString(toBytes(data));
    }

    static byte[] unbase64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException error) {
            throw cannot(text, "a base64 text");
        }
    }

    static long octetLength(Object data) {
        return toBytes(data).length;
    }

    static String javaString(Object number) {
        return text(number);
    }

    // ---- regular expressions

    static boolean isFound(String text, Pattern pattern) {
        return pattern.matcher(text).find();
    }

    static String extract(String text, Pattern pattern) {
        return extract(text, pattern, 1);
    }

    static String extract(String text, Pattern pattern, long group) {
        Matcher matcher = pattern.matcher(text);
        if (group < 0 || group > matcher.groupCount()) {
            throw fault("The pattern has no group " + group + ".");
        }
        String match = matcher.find() ? matcher.group((int) group) : null;
        return match == null ? "" : match;
    }

    static String firstMatch(String text, Pattern pattern) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group() : null;
    }

    static long matches(String text, Pattern pattern) {
        return pattern.matcher(text).results().count();
    }

    static String replaceMatches(String text, Pattern pattern, String replacement) {
        return pattern.matcher(text).replaceAll(replacement);
    }

    static List<Object> split(String text, Pattern pattern) {
        return split(text, pattern, -1);
    }

    static List<Object> split(String text, Pattern pattern, long limit) {
        return new ArrayList<>(Arrays.asList((Object[]) pattern.split(text, limit > 0 ? (int) limit : -1)));
    }

    static List<Object> javaSplit(String text, Pattern pattern) {
        return new ArrayList<>(Arrays.asList((Object[]) pattern.split(text)));
    }

    // ---- lists and maps

    static List<Object> array(Object... items) {
        return new ArrayList<>(Arrays.asList(items));
    }

    static List<Object> sequence(long start, long stop) {
        return sequence(start, stop, stop >= start ? 1 : -1);
    }

    static List<Object> sequence(long start, long stop, long step) {
        if (start != stop && (step == 0 || step > 0 != stop > start)) {
            throw fault("sequence cannot go from " + start + " to " + stop + " in steps of " + step + ".");
        }
        List<Object> result = new ArrayList<>();
        for (long each = start; step > 0 ? each <= stop : each >= stop; each += step) {
            result.add(each);
            if (start == stop) {
                break;
            }
        }
        return result;
    }

    static long size(Object items) {
        return items instanceof List<?> list ? list.size() : ((Map<?, ?>) items).size();
    }

    static Object elementAt(List<Object> items, long position) {
        if (position == 0 || Math.abs(position) > items.size()) {
            throw fault("There is no item " + position + " in a list of " + items.size() + ".");
        }
        return tryElementAt(items, position);
    }

    static Object tryElementAt(List<Object> items, long position) {
        if (position == 0 || Math.abs(position) > items.size()) {
            return null;
        }
        return items.get((int) (position > 0 ? position - 1 : items.size() + position));
    }

    static Object itemOrNull(List<Object> items, long index) {
        return index >= 0 && index < items.size() ? items.get((int) index) : null;
    }

    static Boolean arrayContains(List<Object> items, Object item) {
        return arrayPosition(items, item) > 0 ? Boolean.TRUE : items.contains(null) ? null : Boolean.FALSE;
    }

    static long arrayPosition(List<Object> items, Object item) {
        for (int at = 0; at < items.size(); at++) {
            if (sameItem(items.get(at), item)) {
                return at + 1;
            }
        }
        return 0;
    }

    static Object arrayMin(List<Object> items) {
        return items.stream().filter(item -> item != null).min(Sql::orderOfItems).orElse(null);
    }

    static Object arrayMax(List<Object> items) {
        return items.stream().filter(item -> item != null).max(Sql::orderOfItems).orElse(null);
    }

    /** Spark's order of items: NaN is greater than all numbers. */
    private static int orderOfItems(Object left, Object right) {
        return isnan(left) || isnan(right) ? Boolean.compare(isnan(left), isnan(right)) : order(left, right);
    }

    /** Whether two items are the same: NaN equals itself, and a null another one. */
    private static boolean sameItem(Object left, Object right) {
        if (left == null || right == null) {
            return left == right;
        }
        if (left instanceof List<?> one && right instanceof List<?> other) {
            boolean same = one.size() == other.size();
            for (int at = 0; same && at < one.size(); at++) {
                same = sameItem(one.get(at), other.get(at));
            }
            return same;
        }
        if (left instanceof Map<?, ?> one && right instanceof Map<?, ?> other) {
            return one.size() == other.size() && one.entrySet().stream().allMatch(
                entry -> other.containsKey(entry.getKey()) && sameItem(entry.getValue(), other.get(entry.getKey())));
        }
        if (left instanceof Union one && right instanceof Union other) {
            return one.tag().equals(other.tag()) && sameItem(one.value(), other.value());
        }
        boolean nan = left instanceof Double one && one.isNaN() && right instanceof Double other && other.isNaN();
        return nan || alike(left, right);
    }

    private static boolean holds(List<Object> items, Object item) {
        return items.stream().anyMatch(each -> sameItem(each, item));
    }

    static List<Object> arrayAppend(List<Object> items, Object item) {
        if (items == null) {
            return null;
        }
        List<Object> result = new ArrayList<>(items);
        result.add(item);
        return result;
    }

    static List<Object> arrayPrepend(List<Object> items, Object item) {
        if (items == null) {
            return null;
        }
        List<Object> result = new ArrayList<>(items);
        result.add(0, item);
        return result;
    }

    static List<Object> arrayRemove(List<Object> items, Object item) {
        return keep(items, each -> !sameItem(each, item));
    }

    static List<Object> arrayCompact(List<Object> items) {
        return keep(items, each -> each != null);
    }

    private static List<Object> keep(List<Object> items, java.util.function.Predicate<Object> test) {
        return items.stream().filter(test).collect(Collectors.toCollection(ArrayList::new));
    }

    static List<Object> arrayDistinct(List<Object> items) {
        List<Object> result = new ArrayList<>();
        for (Object item : items) {
            if (!holds(result, item)) {
                result.add(item);
            }
        }
        return result;
    }

    static List<Object> arrayUnion(List<Object> left, List<Object> right) {
        List<Object> all = new ArrayList<>(left);
        all.addAll(right);
        return arrayDistinct(all);
    }

    static List<Object> arrayIntersect(List<Object> left, List<Object> right) {
        return keep(arrayDistinct(left), item -> holds(right, item));
    }

    static List<Object> arrayExcept(List<Object> left, List<Object> right) {
        return keep(arrayDistinct(left), item -> !holds(right, item));
    }

    static Boolean arraysOverlap(List<Object> left, List<Object> right) {
        if (left.stream().anyMatch(item -> item != null && holds(right, item))) {
            return true;
        }
        boolean unknown = left.contains(null) || right.contains(null);
        return unknown && !left.isEmpty() && !right.isEmpty() ? null : Boolean.FALSE;
    }

    static List<Object> arrayRepeat(Object item, Long count) {
        return count == null ? null : new ArrayList<>(java.util.Collections.nCopies((int) Math.max(0, count), item));
    }

    static List<Object> sortArray(List<Object> items) {
        return sortArray(items, true);
    }

    static List<Object> sortArray(List<Object> items, boolean ascending) {
        java.util.Comparator<Object> order = java.util.Comparator.nullsFirst(Sql::orderOfItems);
        List<Object> result = new ArrayList<>(items);
        result.sort(ascending ? order : order.reversed());
        return result;
    }

    @SuppressWarnings("unchecked")
    static List<Object> flatten(List<Object> lists) {
        if (lists.contains(null)) {
            return null;
        }
        List<Object> result = new ArrayList<>();
        for (Object list : lists) {
            result.addAll((List<Object>) list);
        }
        return result;
    }

    // ---- functions that call a lambda

    static List<Object> transform(List<Object> items, Function<Object, Object> change) {
        return transform(items, (item, index) -> change.apply(item));
    }

    static List<Object> transform(List<Object> items, BiFunction<Object, Object, Object> change) {
        if (items == null) {
            return null;
        }
        List<Object> result = new ArrayList<>();
        for (Object item : items) {
            result.add(change.apply(item, (long) result.size()));
        }
        return result;
    }

    static List<Object> filter(List<Object> items, Function<Object, Object> keep) {
        return filter(items, (item, index) -> keep.apply(item));
    }

    static List<Object> filter(List<Object> items, BiFunction<Object, Object, Object> keep) {
        if (items == null) {
            return null;
        }
        List<Object> result = new ArrayList<>();
        long index = 0;
        for (Object item : items) {
            if (Boolean.TRUE.equals(keep.apply(item, index++))) {
                result.add(item);
            }
        }
        return result;
    }

    static Boolean exists(List<Object> items, Function<Object, Object> test) {
        return decide(items, test, true);
    }

    static Boolean forall(List<Object> items, Function<Object, Object> test) {
        return decide(items, test, false);
    }

    private static Boolean decide(List<Object> items, Function<Object, Object> test, boolean decides) {
        if (items == null) {
            return null;
        }
        Boolean answer = !decides;
        for (Object item : items) {
            Object found = test.apply(item);
            if (Boolean.valueOf(decides).equals(found)) {
                return decides;
            }
            answer = found == null ? null : answer;
        }
        return answer;
    }

    static Object aggregate(List<Object> items, Object start, BiFunction<Object, Object, Object> merge) {
        return aggregate(items, start, merge, value -> value);
    }

    static Object aggregate(
        List<Object> items, Object start, BiFunction<Object, Object, Object> merge, Function<Object, Object> finish
    ) {
        if (items == null) {
            return null;
        }
        Object value = start;
        for (Object item : items) {
            value = merge.apply(value, item);
        }
        return finish.apply(value);
    }

    static List<Object> zipWith(List<Object> left, List<Object> right, BiFunction<Object, Object, Object> merge) {
        if (left == null || right == null) {
            return null;
        }
        List<Object> result = new ArrayList<>();
        for (int at = 0; at < Math.max(left.size(), right.size()); at++) {
            result.add(merge.apply(at < left.size() ? left.get(at) : null, at < right.size() ? right.get(at) : null));
        }
        return result;
    }

    static Map<String, Object> mapFilter(Map<String, Object> map, BiFunction<Object, Object, Object> keep) {
        if (map == null) {
            return null;
        }
        Map<String, Object> result = new LinkedHashMap<>(map);
        result.entrySet().removeIf(entry -> !Boolean.TRUE.equals(keep.apply(entry.getKey(), entry.getValue())));
        return result;
    }

    static Map<String, Object> transformValues(Map<String, Object> map, BiFunction<Object, Object, Object> change) {
        if (map == null) {
            return null;
        }
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((key, value) -> result.put(key, change.apply(key, value)));
        return result;
    }

    static Map<String, Object> transformKeys(Map<String, Object> map, BiFunction<Object, Object, Object> change) {
        if (map == null) {
            return null;
        }
        Map<String, Object> result = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            Object changed = change.apply(key, value);
            if (changed == null) {
                throw fault("A key of the map is null.");
            }
            result.put((String) changed, value);
        });
        return result;
    }

    static List<Object> arraySort(List<Object> items) {
        if (items == null) {
            return null;
        }
        List<Object> result = new ArrayList<>(items);
        result.sort(java.util.Comparator.nullsLast(Sql::orderOfItems));
        return result;
    }

    static List<Object> arraySort(List<Object> items, BiFunction<Object, Object, Object> compare) {
        if (items == null) {
            return null;
        }
        List<Object> result = new ArrayList<>(items);
        result.sort((one, other) -> {
            if (compare.apply(one, other) instanceof Long order) {
                return Long.signum(order);
            }
            throw fault("The lambda of array_sort gives null; expected an integer.");
        });
        return result;
    }

    /** A text with values in the places of %s, %d and so on. A character is written from its number. */
    static String formatString(String format, Object... values) {
        Object[] written = values.clone();
        Matcher matcher = CONVERSION.matcher(format);
        int next = 0;
        while (matcher.find()) {
            String letter = matcher.group(2).toLowerCase(Locale.ROOT);
            if (letter.equals("n") || letter.equals("%")) {
                continue;
            }
            int place = matcher.group(1) == null ? next++ : Integer.parseInt(matcher.group(1)) - 1;
            if (letter.equals("c") && values[place] instanceof Long number) {
                written[place] = Math.toIntExact(number);
            } else if (letter.equals("s") && values[place] != null) {
                written[place] = text(values[place]);
            }
        }
        return String.format(Locale.ROOT, format, written);
    }

    static List<Object> slice(List<Object> items, long start, long length) {
        if (start == 0 || length < 0) {
            throw fault("In slice, positions start at 1, and the length cannot be negative.");
        }
        long first = start > 0 ? start - 1 : items.size() + start;
        if (first < 0 || first >= items.size()) {
            return new ArrayList<>();
        }
        return new ArrayList<>(items.subList((int) first, (int) Math.min(items.size(), first + length)));
    }

    static String arrayJoin(List<Object> items, String separator) {
        return arrayJoin(items, separator, null);
    }

    static String arrayJoin(List<Object> items, String separator, String forNull) {
        return items.stream().map(item -> item == null ? forNull : (String) item)
            .filter(java.util.Objects::nonNull).collect(Collectors.joining(separator));
    }

    static Map<String, Object> mapPut(Map<String, Object> map, String key, Object value) {
        if (key == null) {
            throw fault("The key to put into the map is null.");
        }
        Map<String, Object> result = map == null ? new LinkedHashMap<>() : new LinkedHashMap<>(map);
        result.put(key, value);
        return result;
    }

    static Map<String, Object> mapRemove(Map<String, Object> map, String key) {
        Map<String, Object> result = new LinkedHashMap<>(map);
        result.remove(key);
        return result;
    }

    static boolean mapContainsKey(Map<String, Object> map, String key) {
        return map.containsKey(key);
    }

    static List<Object> mapKeys(Map<String, Object> map) {
        return new ArrayList<>(map.keySet());
    }

    static List<Object> mapValues(Map<String, Object> map) {
        return new ArrayList<>(map.values());
    }

    static List<Object> mapEntries(Map<String, Object> map) {
        List<Object> result = new ArrayList<>();
        map.forEach((key, value) -> result.add(struct("key", key, "value", value)));
        return result;
    }

    static Map<String, Object> mapFromEntries(List<Object> entries) {
        Map<String, Object> result = new LinkedHashMap<>();
        for (Object entry : entries) {
            if (!(entry instanceof Map<?, ?> fields) || !(fields.get("key") instanceof String key)) {
                throw fault("An entry is not a struct with a text as its key.");
            }
            result.put(key, fields.get("value"));
        }
        return result;
    }

    static Map<String, Object> mapFromArrays(List<Object> keys, List<Object> values) {
        if (keys.size() != values.size()) {
            throw fault("There are " + keys.size() + " keys and " + values.size() + " values.");
        }
        Map<String, Object> result = new LinkedHashMap<>();
        for (int at = 0; at < keys.size(); at++) {
            result.put(asString(keys.get(at)), values.get(at));
        }
        return result;
    }

    @SafeVarargs
    static Map<String, Object> mapConcat(Map<String, Object>... maps) {
        Map<String, Object> result = new LinkedHashMap<>();
        for (Map<String, Object> map : maps) {
            result.putAll(map);
        }
        return result;
    }

    /** The fields of a value that are kept where new ones are put beside them. */
    static Map<String, Object> copyFields(Object value) {
        return value == null ? new LinkedHashMap<>() : new LinkedHashMap<>(asMap(value));
    }

    static String toJson(Object value) {
        return Json.write(value);
    }

    /** The text at a path of a JSON text: names of members and numbers of items. */
    static String getJsonObject(String text, Object... path) {
        Object at;
        try {
            at = Json.parse(text);
        } catch (ArithmeticException error) {
            return null;
        }
        for (Object step : path) {
            at = step instanceof Integer index
                ? at instanceof List<?> items && index < items.size() ? items.get(index) : null
                : at instanceof Map<?, ?> fields ? fields.get(step) : null;
        }
        return at == null || at instanceof String ? (String) at : Json.write(at);
    }

    static Object parseJson(String text) {
        return Json.parse(text);
    }

    // ---- times, in milliseconds of UTC

    static OffsetDateTime moment(long ms) {
        OffsetDateTime moment = Instant.ofEpochMilli(ms).atOffset(ZoneOffset.UTC);
        if (moment.getYear() < 1 || moment.getYear() > 9_999) {
            throw fault("The time " + ms + " ms is outside the years 1 to 9999.");
        }
        return moment;
    }

    static long toTimestampMs(String text) {
        Long ms = tryToTimestampMs(text);
        if (ms == null) {
            throw fault(text + " is not a time such as 2013-01-01T05:00:00Z.");
        }
        return ms;
    }

    static Long tryToTimestampMs(String text) {
        Matcher matcher = TIME.matcher(text.strip());
        if (!matcher.matches()) {
            return null;
        }
        try {
            LocalDate day = LocalDate.of(number(matcher, 1), number(matcher, 2), number(matcher, 3));
            LocalTime time = LocalTime.of(number(matcher, 4), number(matcher, 5), number(matcher, 6));
            String fraction = matcher.group(7);
            long ms = fraction == null ? 0 : Long.parseLong((fraction + "00").substring(0, 3));
            return day.atTime(time).toInstant(ZoneOffset.UTC).toEpochMilli() + ms - offset(matcher);
        } catch (DateTimeException error) {
            return null;
        }
    }

    private static int number(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Integer.parseInt(matcher.group(group));
    }

    private static long offset(Matcher matcher) {
        if (number(matcher, 10) > 59 || number(matcher, 11) > 59) {
            throw new DateTimeException("An offset has minutes and seconds below 60.");
        }
        long ms = ((number(matcher, 9) * 60 + number(matcher, 10)) * 60 + number(matcher, 11)) * 1_000L;
        return "-".equals(matcher.group(8)) ? -ms : ms;
    }

    static String toIso(long ms) {
        return dateFormat(ms, "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
    }

    static String dateFormat(long ms, String format) {
        OffsetDateTime at = moment(ms);
        return FORMAT.matcher(format).replaceAll(found -> Matcher.quoteReplacement(switch (found.group()) {
            case "yyyy" -> String.format("%04d", at.getYear());
            case "MM" -> String.format("%02d", at.getMonthValue());
            case "dd" -> String.format("%02d", at.getDayOfMonth());
            case "HH" -> String.format("%02d", at.getHour());
            case "mm" -> String.format("%02d", at.getMinute());
            case "ss" -> String.format("%02d", at.getSecond());
            case "SSS" -> String.format("%03d", at.getNano() / 1_000_000);
            default -> found.group(1) == null ? found.group() : found.group(1).isEmpty() ? "'" : found.group(1);
        }));
    }

    static long dateTrunc(String unit, long ms) {
        switch (unit.toUpperCase(Locale.ROOT)) {
            case "SECOND":
                return Math.subtractExact(ms, Math.floorMod(ms, 1_000L));
            case "MINUTE":
                return Math.subtractExact(ms, Math.floorMod(ms, 60_000L));
            case "HOUR":
                return Math.subtractExact(ms, Math.floorMod(ms, 3_600_000L));
            case "DAY":
                return Math.subtractExact(ms, Math.floorMod(ms, 86_400_000L));
            default:
        }
        LocalDate day = moment(ms).toLocalDate();
        LocalDate start = switch (unit.toUpperCase(Locale.ROOT)) {
            case "WEEK" -> day.minusDays(day.getDayOfWeek().getValue() - 1L);
            case "MONTH" -> day.withDayOfMonth(1);
            case "QUARTER" -> day.withDayOfMonth(1).withMonth((day.getMonthValue() - 1) / 3 * 3 + 1);
            default -> day.withDayOfYear(1);
        };
        return start.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }

    static long timestampSeconds(Object seconds) {
        return seconds instanceof Double real ? toLong(real * 1_000)
            : exact(seconds).multiply(BigDecimal.valueOf(1_000)).setScale(0, RoundingMode.DOWN).longValueExact();
    }

    static long year(long ms) {
        return moment(ms).getYear();
    }

    static long quarter(long ms) {
        return moment(ms).get(IsoFields.QUARTER_OF_YEAR);
    }

    static long month(long ms) {
        return moment(ms).getMonthValue();
    }

    static long day(long ms) {
        return moment(ms).getDayOfMonth();
    }

    static long hour(long ms) {
        return moment(ms).getHour();
    }

    static long minute(long ms) {
        return moment(ms).getMinute();
    }

    static long second(long ms) {
        return moment(ms).getSecond();
    }

    static long dayofyear(long ms) {
        return moment(ms).getDayOfYear();
    }

    static long dayofweek(long ms) {
        return moment(ms).getDayOfWeek().getValue() % 7 + 1;
    }

    static long weekday(long ms) {
        return moment(ms).getDayOfWeek().getValue() - 1;
    }

    static long weekofyear(long ms) {
        return moment(ms).get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
    }

    // ---- what went wrong

    static ArithmeticException fault(String message) {
        return new ArithmeticException(message);
    }

    private static ArithmeticException cannot(Object value, String what) {
        return fault((value instanceof byte[] || value instanceof Map || value instanceof List ? nameType(value) : value)
            + " is not " + what + ".");
    }

    private static String nameType(Object value) {
        return typeof(value);
    }
}
