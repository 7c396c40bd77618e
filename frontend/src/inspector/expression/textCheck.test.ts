import { expect, it } from "vitest";
import type { ExpressionCheck, Issue } from "../../api/types";
import { describeResult, mergeIssues } from "./textCheck";

const OLD: Issue = {
  code: "text.chain",
  level: "error",
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
  expect(messages(mergeIssues({ text: "a", answer: RIGHT }, "a", [OLD, OTHER]))).toEqual(["Other."]);
  expect(messages(mergeIssues({ text: "a", answer: WRONG }, "a", [OLD, OTHER]))).toEqual(["New.", "Other."]);
});

it("without an answer, or without a text, the checks have the word", () => {
  expect(messages(mergeIssues(null, "a", [OLD]))).toEqual(["Old."]);
  expect(messages(mergeIssues({ text: "", answer: WRONG }, "", [OTHER]))).toEqual(["Other."]);
});

it("a result is said of the text it belongs to", () => {
  expect(describeResult({ text: "a", answer: RIGHT }, "a")).toBe("boolean");
  expect(describeResult({ text: "a", answer: RIGHT }, "ab")).toBe("");
  expect(describeResult({ text: "a", answer: WRONG }, "a")).toBe("");
});
