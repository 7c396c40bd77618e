import { describe, expect, it } from "vitest";
import { NODE, NUMBERS, SOURCE } from "../../live/samples";
import type { Numbers } from "../../live/state";
import { addNumbers, chooseBalance, NO_LEDGER, type Source } from "./accounting";

const FLIGHTS: Source = { topic: "flights", node: "flights", start: null };

interface Told {
  readonly run?: number;
  readonly batch?: number | null;
  readonly offsets: readonly number[];
  readonly ends?: readonly number[];
  /** What the source node counted since the run began. */
  readonly in: number;
  readonly errors?: number;
}

function numbers({ run = 40, batch = 1, offsets, ends = offsets, in: counted, errors = 0 }: Told): Numbers {
  return {
    ...NUMBERS,
    generation: run,
    batch: { number: batch, in_batch_ms: 0 },
    nodes: { flights: { ...NODE, in: counted, out: counted - errors, errors } },
    sources: { flights: { ...SOURCE, offsets: [...offsets], ends: [...ends] } },
  };
}

const ledger = (source: Source, ...told: readonly Told[]) =>
  told.map(numbers).reduce((before, one) => addNumbers(before, one, source), NO_LEDGER);
const balance = (source: Source, ...told: readonly Told[]) => chooseBalance(ledger(source, ...told));

describe("the balance of a topic", () => {
  it("add up: all that is in it was read or waits", () => {
    expect(balance(FLIGHTS, { offsets: [100, 200], ends: [110, 205], in: 50 })).toMatchObject({
      total: 315,
      readCount: 300,
      waiting: 15,
    });
  });

  it("hold what the source node did with each record since the run began, where that is known", () => {
    const known = { ...FLIGHTS, start: 250 };

    expect(balance(known, { offsets: [100, 200], in: 50, errors: 10 })).toMatchObject({
      since: "run",
      counts: { readCount: 50, outCount: 40, dropCount: 0, errorCount: 10 },
    });
  });

  it("else begin when the page first saw the run", () => {
    const second = { batch: 2, offsets: [130, 210], in: 90, errors: 4 };
    const told = balance(FLIGHTS, { offsets: [100, 200], in: 50 }, second);

    expect(told).toMatchObject({ since: "page", counts: { readCount: 40, outCount: 36, dropCount: 0, errorCount: 4 } });
  });

  it("are not closed before the run has committed a batch", () => {
    expect(balance(FLIGHTS, { batch: null, offsets: [100, 200], in: 0 })).toBeNull();
  });

  it("stay open when the offsets moved on by more records than the node counted", () => {
    const began = { offsets: [100, 200], in: 50 };

    expect(balance(FLIGHTS, began, { batch: 3, offsets: [130, 210], in: 89 })).toBeNull();
    expect(balance(FLIGHTS, began, { batch: 3, offsets: [130, 210], in: 90 })).not.toBeNull();
  });

  it("stay as they were for a batch while the topic's end is older than the offsets, and are open after that", () => {
    const began = { offsets: [100, 200], ends: [110, 205], in: 50 };
    const early = { offsets: [130, 210], ends: [110, 205], in: 90 };

    expect(balance(FLIGHTS, began, { ...early, batch: 2 })).toMatchObject({ total: 315, readCount: 300 });
    expect(balance(FLIGHTS, began, { ...early, batch: 3 })).toBeNull();
  });
});

describe("a run after one that was killed", () => {
  const killed: Told = { offsets: [100, 200], in: 50 };

  it("went on at the very record where the other stopped", () => {
    const told = balance(FLIGHTS, killed, { run: 41, batch: 2, offsets: [130, 210], in: 40 });

    expect(told).toMatchObject({ continues: 40, since: "run", run: 41, counts: { readCount: 40, outCount: 40 } });
  });

  it("is not said to when it began elsewhere, as when the last numbers of the other were lost", () => {
    const told = balance(FLIGHTS, killed, { run: 41, batch: 3, offsets: [130, 210], in: 25 });

    expect(told).toMatchObject({ continues: null, since: "page" });
  });

  it("shows the balance of the other until its first batch", () => {
    const waiting = ledger(FLIGHTS, killed, { run: 41, batch: null, offsets: [100, 200], in: 0 });
    const uneven = ledger(FLIGHTS, killed, { run: 41, batch: 2, offsets: [130, 210], ends: [120, 210], in: 40 });

    expect(chooseBalance(waiting)).toMatchObject({ run: 40 });
    expect(chooseBalance(uneven)).toBeNull();
  });
});
