import { expect, it } from "vitest";
import type { ExpressionCheck, Issue } from "../../api/types";
import { issuesWith, resultWords } from "./textCheck";

const OLD: Issue = {
  code: "text.chain",
  args: {},
  message: "Old.",
  hint: "",
  node: "late",
  field: "predicate",
  span: null,
  fix: null,
};
const OTHER: Issue = { ...OLD, code: "field.invalid", message: "Other." };
const NAMES = { key: { kind: "string" } } as const;
const RIGHT: ExpressionCheck = { type: { kind: "boolean" }, error: null, note: "", names: NAMES, spread: null };
const NEW: Issue = { ...OLD, message: "New.", node: null, field: null, span: [0, 1] };
const WRONG: ExpressionCheck = { ...RIGHT, type: null, error: NEW };
const messages = (issues: readonly Issue[]) => issues.map(({ message }) => message);

it("the answer about the text replaces what the checks said of it before", () => {
  expect(messages(issuesWith({ text: "a", answer: RIGHT }, "a", [OLD, OTHER]))).toEqual(["Other."]);
  expect(messages(issuesWith({ text: "a", answer: WRONG }, "a", [OLD, OTHER]))).toEqual(["New.", "Other."]);
});

it("without an answer, or without a text, the checks have the word", () => {
  expect(messages(issuesWith(null, "a", [OLD]))).toEqual(["Old."]);
  expect(messages(issuesWith({ text: "", answer: WRONG }, "", [OTHER]))).toEqual(["Other."]);
});

it("a result is said of the text it belongs to", () => {
  expect(resultWords({ text: "a", answer: RIGHT }, "a")).toBe("boolean");
  expect(resultWords({ text: "a", answer: RIGHT }, "ab")).toBe("");
  expect(resultWords({ text: "a", answer: WRONG }, "a")).toBe("");
});
