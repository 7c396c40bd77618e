import { expect, it } from "vitest";
import { sortMatches } from "./matching";

const words = (search: string, commands: readonly string[], places: readonly string[]) => {
  const rows = (texts: readonly string[]) => texts.map((word) => ({ word }));
  return sortMatches(search, rows(commands), rows(places)).map(({ word }) => word);
};

it("offers a command before a node that is found by the same letters", () => {
  expect(words("dep", ["Tidy", "Deploy"], ["departed", "with-depot"])).toEqual(["Deploy", "departed", "with-depot"]);
  expect(words("tidy", ["Tidy"], ["untidy"])).toEqual(["Tidy", "untidy"]);
});

it("offers what starts with the search before what only contains it", () => {
  expect(words("log", ["Open log", "Dialogue"], ["logins"])).toEqual(["logins", "Open log", "Dialogue"]);
});

it("lists the nodes first while nothing is typed", () => {
  expect(words("", ["Deploy"], ["flights"])).toEqual(["flights", "Deploy"]);
});
