import { afterEach, expect, it, vi } from "vitest";
import { mayInterrupt } from "./running";

/** An element of which only this is known: whether it takes text, which `isTyping` asks by a selector. */
class TextField {
  constructor(private readonly takesText: boolean) {}
  matches = () => this.takesText;
}

function focus(takesText: boolean, dialog: object | null = null): void {
  vi.stubGlobal("HTMLElement", TextField);
  vi.stubGlobal("document", { activeElement: new TextField(takesText), querySelector: () => dialog });
}

afterEach(() => vi.unstubAllGlobals());

it("a tour does not take the focus from the name that a user is writing, or from a dialog", () => {
  focus(false);
  expect(mayInterrupt()).toBe(true);
  focus(true);
  expect(mayInterrupt()).toBe(false);
  focus(false, {});
  expect(mayInterrupt()).toBe(false);
});
