"""`python -m tests.designer.expressions.java_patterns` asks Java's own expressions, for java_patterns.json."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

from webapp.local.java import find_java

ANSWERS = Path(__file__).with_suffix(".json")
PATTERNS = (
    *("a$", "^a$", "$", "(a)$", "(a$)", "a$|b", "(?:a|b$)+", "a\\Z", "a\\z", "\\Z", "^$", "[$]", "\\$", "\\Q$\\E$"),
    *(".", ".*", ".*$", "^.*$", "(?s).", "(?s)^.*$", "(?s:.)$", "(?i)A$", "(?-s).$"),
    *("(?<name>a)$", "[^b]$", "[^b]*$", "(.)(.)?$", "(a$)|(b)", "\\n$", "a\\s*$", "[a$.]+$", "[]a.]$", "b\\.$"),
)
BY_LINE = ("(?m)a$", "(?m)^a$", "(?m:a$)b?")
"""In RE2 lines end with \\n alone."""
TEXTS = (
    "",
    "a",
    "a\n",
    "a\r\n",
    "a\r",
    "a\u0085",
    "a\u2028",
    "a\u2029",
    "\n",
    "\r\n",
    "a\n\n",
    "a\nb",
    "b.\n",
    "a$",
    "ab\r\na\n",
)
CASES = (*product(PATTERNS, TEXTS), *product(BY_LINE, (text for text in TEXTS if text.isascii() and "\r" not in text)))
PROGRAM = """
import java.util.regex.*;
public class Answers {
  static String quoted(String text) {
    if (text == null) return "null";
    StringBuilder made = new StringBuilder("\\"");
    for (char each : text.toCharArray()) made.append(String.format("\\\\u%04x", (int) each));
    return made.append("\\"").toString();
  }
  static void ask(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    StringBuilder found = new StringBuilder();
    while (matcher.find()) {
      if (found.length() > 0) found.append(", ");
      found.append("[").append(matcher.start()).append(", ").append(matcher.end());
      for (int group = 0; group <= matcher.groupCount(); group++)
        found.append(", ").append(quoted(matcher.group(group)));
      found.append("]");
    }
    StringBuilder parts = new StringBuilder();
    for (String part : text.split(pattern, -1)) parts.append(parts.length() > 0 ? ", " : "").append(quoted(part));
    System.out.println("[" + quoted(pattern) + ", " + quoted(text) + ", [" + found + "], [" + parts + "]]");
  }
  public static void main(String[] arguments) {
    ASKED
  }
}
"""


def main() -> None:
    asked = "\n    ".join(f"ask({_literal(pattern)}, {_literal(text)});" for pattern, text in CASES)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "Answers.java"
        source.write_text(PROGRAM.replace("ASKED", asked))
        done = subprocess.run([str(find_java()), str(source)], capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    ANSWERS.write_text("[\n" + ",\n".join(json.dumps(each) for each in answers) + "\n]\n")
    print(f"{len(answers)} answers of Java", file=sys.stderr)


def _literal(text: str) -> str:
    """A text as a literal of Java, whose escapes for these are Python's."""
    escaped = "".join(
        each
        if 32 <= ord(each) < 127 and each not in '"\\'
        else f"\\{ord(each):o}"
        if ord(each) < 256
        else f"\\u{ord(each):04x}"
        for each in text
    )
    return f'"{escaped}"'


if __name__ == "__main__":
    main()
