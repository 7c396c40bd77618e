import { expect, test } from "vitest";
import { changeWords, questionOf } from "./words";

const NONE = { by: "", what: "", since: "", until: "" };

test("an empty filter asks for everything", () => {
  expect(questionOf(NONE)).toBe("");
  expect(questionOf({ ...NONE, by: " ada ", what: "/jobs/7" })).toBe("by=ada&what=%2Fjobs%2F7");
});

test("the last day is included", () => {
  const asked = new URLSearchParams(questionOf({ ...NONE, since: "2026-11-26", until: "2026-11-26" }));
  expect(Date.parse(asked.get("until") ?? "") - Date.parse(asked.get("since") ?? "")).toBe(86_400_000);
});

test("values are read as text, and nothing as nothing", () => {
  const change = { of: "job orders", field: "settings.tasks", before: "", after: { tasks: 4 } };
  expect(changeWords(change)).toEqual({ ...change, before: null, after: '{"tasks":4}' });
});
