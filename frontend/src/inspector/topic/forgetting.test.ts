import { expect, it } from "vitest";
import { forgetting } from "./forgetting";

const WEEK = 7 * 86_400_000;

it("warns of tables alone, and of topics that forget", () => {
  expect(forgetting({ cleanup: ["delete"], retention_ms: WEEK }, "table")).toContain("older than 7 d");
  expect(forgetting({ cleanup: ["compact", "delete"], retention_ms: WEEK }, "global_table")).not.toBeNull();
  expect(forgetting({ cleanup: ["compact"], retention_ms: WEEK }, "table")).toBeNull();
  expect(forgetting({ cleanup: ["delete"], retention_ms: null }, "table")).toBeNull();
  expect(forgetting({ cleanup: ["delete"], retention_ms: WEEK }, "stream")).toBeNull();
});
