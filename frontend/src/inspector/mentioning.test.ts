import { expect, it } from "vitest";
import { complete, findMention, findNames } from "./mentioning";

it("finds the name that is being written before the caret", () => {
  expect(findMention("Ask @be", 7)).toEqual({ start: 4, part: "be" });
  expect(findMention("Ask @be", 5)).toEqual({ start: 4, part: "" });
  expect(findMention("@", 1)).toEqual({ start: 0, part: "" });
});

it("finds none in an address, or after a name", () => {
  expect(findMention("a@be", 4)).toBeNull();
  expect(findMention("Ask @ben now", 12)).toBeNull();
  expect(findMention("Ask", 3)).toBeNull();
});

it("offers names that begin with the text before those that contain it", () => {
  expect(findNames(["abe", "ada", "Ben"], "be")).toEqual(["Ben", "abe"]);
  expect(findNames(["abe", "ada"], "")).toEqual(["abe", "ada"]);
});

it("writes the whole name with one space after it", () => {
  expect(complete("Ask @be", { start: 4, part: "be" }, 7, "ben")).toEqual({ text: "Ask @ben ", caret: 9 });
  expect(complete("@b now", { start: 0, part: "b" }, 2, "ben")).toEqual({ text: "@ben now", caret: 5 });
});
