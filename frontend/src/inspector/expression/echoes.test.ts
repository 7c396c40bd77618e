import { expect, it } from "vitest";
import { Echoes } from "./echoes";

it("knows its own text again while the user types on", () => {
  const echoes = new Echoes();
  for (const text of ["d", "de", "dep", "dep_"]) echoes.tell(text);

  expect(echoes.isEcho("d")).toBe(true);
  expect(echoes.isEcho("dep")).toBe(true); // one drawing for two letters
  expect(echoes.isEcho("dep_")).toBe(true);
});

it("waits for no text that was passed over once the form has what the user sees", () => {
  const echoes = new Echoes();
  for (const text of ["a", ""]) echoes.tell(text);
  echoes.settle();

  expect(echoes.isEcho("a")).toBe(false);
});

it("takes what came from elsewhere, such as an undo to a text of before", () => {
  const echoes = new Echoes();
  echoes.tell("de");
  expect(echoes.isEcho("de")).toBe(true);

  expect(echoes.isEcho("d")).toBe(false);
  expect(echoes.isEcho("de")).toBe(false);
});
