import { expect, it } from "vitest";
import { nameKeys } from "./useShortcuts";

const PLAIN = { ctrlKey: false, metaKey: false, shiftKey: false };

it.each([
  ["B", { key: "b" }],
  ["Ctrl+Shift+Z", { key: "Z", ctrlKey: true, shiftKey: true }],
  ["Ctrl+K", { key: "k", metaKey: true }],
  ["Shift+F6", { key: "F6", shiftKey: true }],
  ["?", { key: "?", shiftKey: true }],
])("keys are named %s", (name, pressed) => {
  expect(nameKeys({ ...PLAIN, ...pressed })).toBe(name);
});
