import { expect, it } from "vitest";
import { explainForgetting } from "./explainForgetting";

const WEEK = 7 * 86_400_000;
const ROWS = { has_topic_of_rows: true };
const EVENTS = { has_topic_of_rows: false };

it("warns of tables alone, and of topics that forget", () => {
  expect(explainForgetting({ cleanup: ["delete"], retention_ms: WEEK }, ROWS)).toContain("older than 7 d");
  expect(explainForgetting({ cleanup: ["compact", "delete"], retention_ms: WEEK }, ROWS)).not.toBeNull();
  expect(explainForgetting({ cleanup: ["compact"], retention_ms: WEEK }, ROWS)).toBeNull();
  expect(explainForgetting({ cleanup: ["delete"], retention_ms: null }, ROWS)).toBeNull();
  expect(explainForgetting({ cleanup: ["delete"], retention_ms: WEEK }, EVENTS)).toBeNull();
});
