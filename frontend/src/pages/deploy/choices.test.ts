import { expect, it } from "vitest";
import { validChoice } from "./choices";

it("forgets an answer to a question that is no longer asked", () => {
  const earliest = [{ on_state: "fresh_from_earliest", title: "Start fresh", help: "All again." }] as const;

  expect(validChoice(earliest, "fresh_from_earliest")).toBe("fresh_from_earliest");
  expect(validChoice(earliest, "fresh_from_now")).toBeNull();
  expect(validChoice(earliest, "keep")).toBeNull();
});
