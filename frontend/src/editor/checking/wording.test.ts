import { describe, expect, it } from "vitest";
import type { Issue } from "../../api/types";
import { wordIssue } from "./wording";

function issueAt(field: string | null, rest: Partial<Issue>): Issue {
  return {
    code: "field.unused",
    level: "error",
    message: "",
    hint: "",
    args: {},
    node: "hourly",
    field,
    span: null,
    fix: null,
    ...rest,
  };
}

describe("an issue in the words of its form", () => {
  it("asks for what an empty field needs", () => {
    const message = "`gap_ms` is empty, but session windows need it.";
    const args = { help: "longest gap between consecutive records of a session." };

    expect(wordIssue(issueAt("gap_ms", { code: "field.missing", message, args }))).toEqual({
      message: "Set the gap.",
      hint: "Longest gap between consecutive records of a session.",
    });
  });

  it("names a field as its label does, at the start of a sentence and inside", () => {
    const unused = issueAt("gap_ms", { message: "`gap_ms` is not read while `type` is tumbling.", hint: "Empty it." });
    const row = issueAt("functions.0.size_mb", { message: "In this row `size_mb` is too large." });

    expect(wordIssue(unused)).toEqual({
      message: "The gap is not read while `type` is tumbling.",
      hint: "Empty it.",
    });
    expect(wordIssue(row).message).toBe("In this row the size is too large.");
    expect(wordIssue(issueAt("ttl_ms", { message: "`ttl_ms` is 0." })).message).toBe("The time to live is 0.");
  });

  it("says of a wrong value what belongs there", () => {
    const args = { help: "Kafka topic that gets the records." };
    const wrong = issueAt("topic", { code: "field.invalid", message: "`topic` is `a b`; expected letters.", args });

    expect(wordIssue(wrong)).toEqual({
      message: "The topic is `a b`; expected letters.",
      hint: "Kafka topic that gets the records.",
    });
  });

  it("leaves the sentence of an issue without a field", () => {
    const issue = issueAt(null, { message: "Nothing feeds the `left` port.", hint: "Connect a KStream to it." });

    expect(wordIssue(issue)).toEqual({ message: issue.message, hint: issue.hint });
  });
});
