import { expect, it } from "vitest";
import { pressesAction } from "./pressing";

const ENTER = { key: "Enter", ctrlKey: false, metaKey: false, isComposing: false };

it.each(["text", "number", "password", "dialog"])("is pressed by Enter in a %s", (place) => {
  expect(pressesAction(ENTER, place)).toBe(true);
});

it.each(["search", "checkbox", "other"])("is not pressed by Enter in a %s, but by Control+Enter", (place) => {
  expect(pressesAction(ENTER, place)).toBe(false);
  expect(pressesAction({ ...ENTER, ctrlKey: true }, place)).toBe(true);
});

it("is not pressed by other keys, or while a word is composed", () => {
  expect(pressesAction({ ...ENTER, key: "a" }, "text")).toBe(false);
  expect(pressesAction({ ...ENTER, isComposing: true }, "text")).toBe(false);
});
