import { describe, expect, it } from "vitest";
import { begun, done, redone, replace, undone } from "./history";

describe("undo and redo", () => {
  it("go back and forth over every step", () => {
    const history = done(done(begun("a"), "b", null, 0), "c", null, 0);

    expect(undone(history).present).toBe("b");
    expect(undone(undone(undone(history))).present).toBe("a");
    expect(redone(undone(history))).toEqual(history);
  });

  it("make one step of a burst of typing", () => {
    const typed = ["b", "bu", "bur"].reduce((h, text, index) => done(h, text, "name", index * 300), begun(""));

    expect(undone(typed).present).toBe("");
  });

  it("make two steps of typing into two fields, or with a pause", () => {
    const fields = done(done(begun(""), "b", "one", 0), "c", "other", 10);
    const pause = done(done(begun(""), "b", "one", 0), "c", "one", 5_000);

    expect(undone(fields).present).toBe("b");
    expect(undone(pause).present).toBe("b");
  });

  it("forget what was undone once something new is done", () => {
    expect(redone(done(undone(done(begun("a"), "b", null, 0)), "c", null, 0)).present).toBe("c");
  });

  it("do nothing at their ends, and a step to the same is none", () => {
    const history = begun("a");

    expect(undone(history)).toBe(history);
    expect(redone(history)).toBe(history);
    expect(done(history, "a", null, 0)).toBe(history);
  });

  it("stay when the present is replaced from outside", () => {
    expect(undone(replace(done(begun("a"), "b", null, 0), "theirs")).present).toBe("a");
  });
});
