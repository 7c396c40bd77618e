import { describe, expect, it } from "vitest";
import { addEdit, rebase, redo, startHistory, undo } from "./history";

describe("undo and redo", () => {
  it("go back and forth over every step", () => {
    const history = addEdit(addEdit(startHistory("a"), "b", null, 0), "c", null, 0);

    expect(undo(history).present).toBe("b");
    expect(undo(undo(undo(history))).present).toBe("a");
    expect(redo(undo(history))).toEqual(history);
  });

  it("make one step of a burst of typing", () => {
    const typed = ["b", "bu", "bur"].reduce(
      (h, text, index) => addEdit(h, text, "name", index * 300),
      startHistory(""),
    );

    expect(undo(typed).present).toBe("");
  });

  it("make two steps of typing into two fields, or with a pause", () => {
    const fields = addEdit(addEdit(startHistory(""), "b", "one", 0), "c", "other", 10);
    const pause = addEdit(addEdit(startHistory(""), "b", "one", 0), "c", "one", 5_000);

    expect(undo(fields).present).toBe("b");
    expect(undo(pause).present).toBe("b");
  });

  it("forget what was undone once something new is done", () => {
    expect(redo(addEdit(undo(addEdit(startHistory("a"), "b", null, 0)), "c", null, 0)).present).toBe("c");
  });

  it("do nothing at their ends, and a step to the same is none", () => {
    const history = startHistory("a");

    expect(undo(history)).toBe(history);
    expect(redo(history)).toBe(history);
    expect(addEdit(history, "a", null, 0)).toBe(history);
  });

  it("leave alone what another user changed", () => {
    const mine = undo(addEdit(addEdit(startHistory("a"), "ab", null, 0), "abc", null, 0));

    const both = rebase(mine, "abX", (step) => `${step}X`);

    expect(undo(both).present).toBe("aX");
    expect(redo(both).present).toBe("abcX");
  });
});
