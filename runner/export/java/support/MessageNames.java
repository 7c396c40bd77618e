package streamwright;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.errors.SerializationException;

/**
 * The messages of a `.proto` file in their order, with those inside each. Confluent's message indexes are places there.
 * Only names and braces are read: Protobuf for Java has no parser of such files.
 */
record MessageNames(String name, List<MessageNames> inner) {

    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]+={0,2}");
    private static final Pattern TOKEN = Pattern.compile(
        "//[^\\n]*|(?s:/\\*.*?\\*/)|\"(?:[^\"\\\\]++|\\\\.)*+\"|'(?:[^'\\\\]++|\\\\.)*+'|[\\w.]+|[{};=]");

    /** The messages of a file, as text or as a serialized descriptor in base64. The name is that of the package. */
    static MessageNames of(String file) {
        String text = file.strip();
        if (!BASE64.matcher(text).matches()) {
            return read(text);
        }
        try {
            FileDescriptorProto proto = FileDescriptorProto.parseFrom(Base64.getDecoder().decode(text));
            return new MessageNames(proto.getPackage(), list(proto.getMessageTypeList()));
        } catch (InvalidProtocolBufferException error) {
            throw new SerializationException(error);
        }
    }

    private static List<MessageNames> list(List<DescriptorProto> messages) {
        return messages.stream().filter(each -> !each.getOptions().getMapEntry())
            .map(each -> new MessageNames(each.getName(), list(each.getNestedTypeList()))).toList();
    }

    private static MessageNames read(String text) {
        List<MessageNames> messages = new ArrayList<>();
        Deque<List<MessageNames>> open = new ArrayDeque<>(List.of(messages));
        String named = "";
        List<String> statement = new ArrayList<>();
        for (Matcher token = TOKEN.matcher(text); token.find();) {
            String word = token.group();
            switch (word) {
                case "{" -> {
                    String name = message(statement);
                    MessageNames found = new MessageNames(name, new ArrayList<>());
                    if (name != null) {
                        open.peek().add(found);
                    }
                    open.push(name == null ? open.peek() : found.inner());
                }
                case "}" -> {
                    if (open.size() > 1) {
                        open.pop();
                    }
                }
                case ";" -> {
                    if (open.size() == 1 && statement.size() == 2 && statement.get(0).equals("package")) {
                        named = statement.get(1);
                    }
                }
                default -> {
                    if (!word.startsWith("/") && !word.startsWith("\"") && !word.startsWith("'")) {
                        statement.add(word);
                    }
                    continue;
                }
            }
            statement.clear();
        }
        return new MessageNames(named, messages);
    }

    /** The name of the message or group that a statement opens, or null. */
    private static String message(List<String> statement) {
        int size = statement.size();
        if (size > 1 && size < 4 && statement.get(size - 2).equals("message")) {
            return statement.get(size - 1);
        }
        int group = statement.indexOf("group"); // optional group Name = 1
        return group >= 0 && group < 2 && size > group + 2 && statement.get(group + 2).equals("=")
            ? statement.get(group + 1) : null;
    }

    /** The full name of the message at a place, or null. */
    String at(List<Integer> indexes) {
        MessageNames found = this;
        String full = name;
        for (int index : indexes) {
            if (index < 0 || index >= found.inner().size()) {
                return null;
            }
            found = found.inner().get(index);
            full = full.isEmpty() ? found.name() : full + "." + found.name();
        }
        return full;
    }
}
