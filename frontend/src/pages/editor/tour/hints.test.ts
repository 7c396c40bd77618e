import { afterEach, describe, expect, it, vi } from "vitest";
import { HINTS } from "./hints";

/** A page with these parts of the desk; its one button is Deploy. */
function show(...parts: readonly string[]): void {
  vi.stubGlobal("document", {
    querySelector: (selector: string) => parts.find((part) => selector.endsWith(part)) ?? null,
    querySelectorAll: () => [{ textContent: "Deploy" }],
  });
}

function listTitles(): string[] {
  return HINTS.filter(({ find }) => find() !== null).map(({ title }) => title);
}

describe("the tour", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("tells how to draw while the canvas is empty", () => {
    show(".palette", ".canvas", ".inspector");

    expect(listTitles()).toEqual(["Drag a node onto the canvas", "Set it up", "Deploy it"]);
  });

  it("tells the story of a topology that is drawn, from its live numbers to a deploy", () => {
    show(".palette", ".canvas", ".inspector", ".react-flow__node", ".sample-panel", ".balance");

    expect(listTitles()).toEqual([
      "See it live",
      "Break it",
      "See that nothing is lost",
      "Follow one record",
      "Change a filter",
      "Deploy the change",
    ]);
  });
});
