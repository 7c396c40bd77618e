import { expect, it } from "vitest";
import { choicesOf, chosenOf, mustChoose } from "./choices";

const preview = {
  job: 1,
  application_id: "flights",
  prefix: "",
  creates: [],
  tasks: [4],
  new_epoch: true,
  state: [],
  spread: [],
  durability: [],
  settings: {},
  description: "",
  moved: false,
};

it("asks only where some state starts empty", () => {
  const fate = { node: "n", store: "s", why: "" };

  expect(mustChoose({ ...preview, choices: {}, state: [{ ...fate, fate: "kept" }] })).toBe(false);
  expect(mustChoose({ ...preview, choices: {}, state: [{ ...fate, fate: "starts_empty" }] })).toBe(true);
});

it("forgets an answer to a question that is no longer asked", () => {
  const earliest = choicesOf({ ...preview, choices: { fresh_from_earliest: "All again." } });

  expect(chosenOf(earliest, "fresh_from_earliest")).toBe("fresh_from_earliest");
  expect(chosenOf(earliest, "fresh_from_now")).toBeNull();
  expect(chosenOf(earliest, "keep")).toBeNull();
});

it("offers each way on, and leaves cancelling to its button", () => {
  const choices = { fresh_from_earliest: "All again.", fresh_from_now: "Go on.", cancel: "Change nothing." };

  const offered = choicesOf({ ...preview, choices });

  expect(offered.map((choice) => choice.value)).toEqual(["fresh_from_earliest", "fresh_from_now"]);
  expect(offered[0]?.help).toBe("All again.");
});
