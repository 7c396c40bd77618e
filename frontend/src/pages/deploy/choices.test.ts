import { expect, it } from "vitest";
import { keepValidChoice } from "./choices";

it("forgets an answer to a question that is no longer asked", () => {
  const earliest = [{ on_state: "fresh_from_earliest", title: "Start fresh", help: "All again." }] as const;

  expect(keepValidChoice(earliest, "fresh_from_earliest")).toBe("fresh_from_earliest");
  expect(keepValidChoice(earliest, "fresh_from_now")).toBeNull();
  expect(keepValidChoice(earliest, "keep")).toBeNull();
});
