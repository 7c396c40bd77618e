import { expect, it } from "vitest";
import { SETTINGS } from "../../api/samples";
import { choicesOf, validChoice, mustChoose, questionOf } from "./choices";

const preview = {
  job: 1,
  application_id: "flights",
  prefix: "",
  creates: [],
  tasks: [4],
  has_new_epoch: true,
  state: [],
  spread: [],
  durability: [],
  losses: [],
  damage: [],
  damaged: "",
  room: "",
  settings: SETTINGS,
  description: "",
  is_moved: false,
  bypassed: [],
  changes: null,
  in_part: "",
  spark: "",
};

it("asks only where some state starts empty", () => {
  const fate = { node: "n", store: "s", why: "" };

  expect(mustChoose({ ...preview, choices: {}, state: [{ ...fate, fate: "kept" }] })).toBe(false);
  expect(mustChoose({ ...preview, choices: {}, state: [{ ...fate, fate: "starts_empty" }] })).toBe(true);
});

it("asks where records are gone", () => {
  const loss = { topic: "a", partition: 0, why: "deleted", read_to: 1, first: 5, goes_on: 5, skipped: 4 } as const;

  expect(mustChoose({ ...preview, choices: {}, losses: [loss] })).toBe(true);
  expect(questionOf({ ...preview, choices: {}, losses: [loss] })).toContain("Kafka deleted records");
  expect(questionOf({ ...preview, choices: {} })).toContain("Some state");
});

it("asks where the checkpoint is damaged, before all else", () => {
  const file = { kind: "offsets", file: "offsets/4", why: "is empty", holds: "the offsets of batch 4" } as const;
  const place = { at: 1, batch: 4, operator: null, slot: null, nodes: [] };
  const damaged = { ...preview, choices: {}, damage: [{ ...file, ...place }] };

  expect(mustChoose(damaged)).toBe(true);
  expect(questionOf(damaged)).toBe("How should the job continue?");
});

it("asks where another version has left a batch written in part", () => {
  const left = { ...preview, choices: {}, in_part: "Only part of the last batch was written." };

  expect(mustChoose(left)).toBe(true);
  expect(questionOf(left)).toBe(left.in_part);
});

it("forgets an answer to a question that is no longer asked", () => {
  const earliest = choicesOf({ ...preview, choices: { fresh_from_earliest: "All again." } });

  expect(validChoice(earliest, "fresh_from_earliest")).toBe("fresh_from_earliest");
  expect(validChoice(earliest, "fresh_from_now")).toBeNull();
  expect(validChoice(earliest, "keep")).toBeNull();
});

it("offers each way on, and leaves cancelling to its button", () => {
  const choices = { fresh_from_earliest: "All again.", fresh_from_now: "Go on.", cancel: "Change nothing." };

  const offered = choicesOf({ ...preview, choices });

  expect(offered.map((choice) => choice.value)).toEqual(["fresh_from_earliest", "fresh_from_now"]);
  expect(offered[0]?.help).toBe("All again.");
});
