import { expect, it } from "vitest";
import { forgetting } from "./forgetting";

const WEEK = 7 * 86_400_000;
const ROWS = { has_topic_of_rows: true };
const EVENTS = { has_topic_of_rows: false };

it("warns of tables alone, and of topics that forget", () => {
  expect(forgetting({ cleanup: ["delete"], retention_ms: WEEK }, ROWS)).toContain("older than 7 d");
  expect(forgetting({ cleanup: ["compact", "delete"], retention_ms: WEEK }, ROWS)).not.toBeNull();
  expect(forgetting({ cleanup: ["compact"], retention_ms: WEEK }, ROWS)).toBeNull();
  expect(forgetting({ cleanup: ["delete"], retention_ms: null }, ROWS)).toBeNull();
  expect(forgetting({ cleanup: ["delete"], retention_ms: WEEK }, EVENTS)).toBeNull();
});
