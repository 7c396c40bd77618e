import { afterEach, expect, it, vi } from "vitest";
import { keepNumbersFromWheel } from "./wheel";

afterEach(() => vi.unstubAllGlobals());

/** A field as a browser has it. */
class Field {
  constructor(readonly type: string) {}
  blur(): void {
    page.activeElement = page.body;
  }
  focus(): void {
    page.activeElement = this;
  }
}

const page: { body: object; activeElement: object } = { body: {}, activeElement: {} };

it.each([
  ["number", false],
  ["text", true],
])("takes the focus from a %s while the wheel turns: it keeps it is %s", (type, keeps) => {
  const frames: (() => void)[] = [];
  let turn: (event: object) => void = () => undefined;
  vi.stubGlobal("HTMLInputElement", Field);
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", { addEventListener: (_: string, listen: typeof turn) => (turn = listen) });
  vi.stubGlobal("requestAnimationFrame", (then: () => void) => frames.push(then));
  const field = new Field(type);
  field.focus();
  keepNumbersFromWheel();

  turn({ target: field });
  expect(page.activeElement === field).toBe(keeps);
  for (const then of frames) then();

  expect(page.activeElement).toBe(field);
});
