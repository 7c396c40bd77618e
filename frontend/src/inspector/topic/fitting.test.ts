import { expect, it } from "vitest";
import { findNextPlace } from "../../ui/controls/options";
import { findTopics } from "./fitting";

const TOPICS = ["airports", "delays-by-airport", "flights"].map((name) => ({ name, id: name, partitions: 1 }));
const names = (text: string) => findTopics(TOPICS, text).map(({ name }) => name);

it("finds a text anywhere in a name, at its beginning first", () => {
  expect(names("AIRPORT")).toEqual(["airports", "delays-by-airport"]);
  expect(names("d")).toEqual(["delays-by-airport"]);
  expect(names("x")).toEqual([]);
});

it.each([
  [-1, 1, 0],
  [-1, -1, 2],
  [2, 1, 0],
  [0, -1, 2],
  [0, 1, 1],
] as const)("from %i by %i of three is %i", (from, by, to) => {
  expect(findNextPlace(from, by, 3)).toBe(to);
});
