import fc from "fast-check";
import { expect, test } from "vitest";
import { addEdit, redo, startHistory, undo, type History } from "./history";

type Step = number | "undo" | "redo";

const steps = fc.array(fc.oneof({ weight: 2, arbitrary: fc.nat(9) }, fc.constantFrom("undo", "redo")), {
  maxLength: 60,
});

function taken(history: History<number>, step: Step): History<number> {
  if (step === "undo") return undo(history);
  return step === "redo" ? redo(history) : addEdit(history, step, null, 0);
}

test("undo and redo walk a list of documents, whatever comes in between", () => {
  fc.assert(
    fc.property(steps, (all) => {
      let history = startHistory(0);
      let [list, at] = [[0], 0];
      for (const step of all) {
        history = taken(history, step);
        if (step === "undo") at = Math.max(0, at - 1);
        else if (step === "redo") at = Math.min(list.length - 1, at + 1);
        else if (step !== list[at]) {
          list = [...list.slice(0, at + 1), step];
          at += 1;
        }
        expect([...history.past, history.present, ...history.future]).toEqual(list);
        expect(history.past.length).toBe(at);
      }
    }),
  );
});

test("what was undone is there again after as many redos", () => {
  fc.assert(
    fc.property(steps, fc.nat(70), (all, times) => {
      const history = all.reduce(taken, startHistory(0));
      const back = Math.min(times, history.past.length);
      const first = Array.from({ length: back }).reduce<History<number>>((one) => undo(one), history);
      const again = Array.from({ length: back }).reduce<History<number>>((one) => redo(one), first);
      expect({ ...again, burst: null }).toEqual({ ...history, burst: null });
    }),
  );
});

test("a burst is one step of undo", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1 }), (typed) => {
      const history = typed.reduce<History<number>>(
        (before, text, at) => addEdit(before, text, "name", at),
        startHistory(0),
      );
      expect(undo(history)).toEqual({ ...startHistory(0), future: [typed.at(-1)] });
    }),
  );
});
