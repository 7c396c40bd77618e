import { expect, test } from "vitest";
import { changeWords, queryOf } from "./words";

const NONE = { by: "", what: "", since: "", until: "" };

test("an empty filter asks for everything", () => {
  expect(queryOf(NONE)).toEqual({ by: "", what: "", since: null, until: null });
  expect(queryOf({ ...NONE, by: " ada ", what: "/jobs/7" })).toMatchObject({ by: "ada", what: "/jobs/7" });
});

test("the last day is included", () => {
  const { since, until } = queryOf({ ...NONE, since: "2026-11-26", until: "2026-11-26" });
  expect(Date.parse(until ?? "") - Date.parse(since ?? "")).toBe(86_400_000);
});

test("values are read as text, and nothing as nothing", () => {
  const change = { of: "job orders", field: "settings.tasks", before: "", after: { tasks: 4 } };
  expect(changeWords(change)).toEqual({ ...change, before: null, after: '{"tasks":4}' });
});
