import { expect, it } from "vitest";
import { makeWordWatch } from "./words";

const SHORTCUTS = new Set(["d", "b", "n", "p", "?"]);
const at = (key: string, timeStamp: number) => ({ key, timeStamp, ctrlKey: false, metaKey: false, altKey: false });

function type(text: string, startMs = 0, addedAt = -Infinity) {
  const isInWord = makeWordWatch((key) => SHORTCUTS.has(key));
  const keys = Array.from(text);
  const acted = keys.filter((key, index) => !isInWord(at(key, startMs + index * 100), addedAt) && SHORTCUTS.has(key));
  return { acted, isInWord };
}

it("acts on no letter of a word that begins with a letter of no shortcut", () => {
  expect(type("user_id").acted).toEqual([]);
  expect(type("amount > 10 and paid").acted).toEqual([]);
  expect(type(" d").acted).toEqual(["d"]);
});

it("acts on shortcuts one after the other", () => {
  expect(type("dnd").acted).toEqual(["d", "n", "d"]);
});

it("begins anew after a key that writes nothing", () => {
  const { isInWord } = type("user");

  expect(isInWord(at("Escape", 350))).toBe(false);
  expect(isInWord(at("d", 400))).toBe(false);
});

it("acts again after a pause, and on keys with Control at once", () => {
  const { isInWord } = type("user");

  expect(isInWord({ ...at("d", 400), ctrlKey: true })).toBe(false);
  expect(isInWord(at("d", 2_000))).toBe(false);
});

it("takes letters right after a node was added as text, and later as shortcuts", () => {
  expect(type("name", 900, 0).acted).toEqual([]);
  expect(type("name", 5_000, 0).acted).toEqual(["n"]);
  expect(type("?", 900, 0).acted).toEqual(["?"]);
});

it("takes letters as shortcuts again after another key on the added node", () => {
  const { isInWord } = type("");

  expect(isInWord(at("Escape", 300), 0)).toBe(false);
  expect(isInWord(at("d", 400), 0)).toBe(false);
});
