import { beforeEach, describe, expect, it } from "vitest";
import { Watch, type Connection, type Socket } from "./watch";

interface Tally {
  readonly sequence: number;
  readonly total: number;
}

interface Added {
  readonly sequence: number;
  readonly add: number;
}

class Line implements Socket {
  closed = false;
  private readonly listeners: Partial<Record<string, (event: never) => void>> = {};

  addEventListener(type: string, listener: (event: never) => void): void {
    this.listeners[type] = listener;
  }

  say(message: unknown): void {
    this.listeners.message?.({ data: JSON.stringify(message) } as never);
  }

  lose(code = 1006): void {
    this.listeners.close?.({ code } as never);
  }

  close(): void {
    this.closed = true;
  }
}

let lines: Line[];
let seen: { readonly state: Tally | null; readonly connection: Connection }[];
let waits: (() => void)[];
let fetched: Tally[];

function watch(): Watch<Tally, Added> {
  return new Watch<Tally, Added>({
    open: () => {
      const line = new Line();
      lines.push(line);
      return line;
    },
    fetchState: () => {
      const next = fetched.shift();
      return next === undefined ? Promise.reject(new Error("unreachable")) : Promise.resolve(next);
    },
    snapshotOf: (message) => ((message as { snapshot?: Tally }).snapshot ?? null),
    eventOf: (message) => message as Added,
    apply: (state, event) => ({ sequence: event.sequence, total: state.total + event.add }),
    changed: (state, connection) => seen.push({ state, connection }),
    refused: (code) => code === 4404,
    mostSilence: (state) => (state.total < 0 ? 10_000 : null),
    wait: (_ms, then) => {
      waits.push(then);
      return () => {
        waits = waits.filter((one) => one !== then);
      };
    },
  });
}

function line(): Line {
  const last = lines.at(-1);
  if (last === undefined) throw new Error("No connection was opened.");
  return last;
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  lines = [];
  seen = [];
  waits = [];
  fetched = [];
});

describe("a watched state", () => {
  it("is the snapshot with every later event folded in once", () => {
    watch().wake();

    line().say({ snapshot: { sequence: 4, total: 10 } });
    line().say({ sequence: 4, add: 100 });
    line().say({ sequence: 5, add: 1 });
    line().say({ sequence: 5, add: 1 });

    expect(seen.at(-1)).toEqual({ state: { sequence: 5, total: 11 }, connection: "live" });
  });

  it("folds in events that came before the snapshot", () => {
    watch().wake();

    line().say({ sequence: 5, add: 1 });
    line().say({ snapshot: { sequence: 4, total: 10 } });

    expect(seen.at(-1)?.state).toEqual({ sequence: 5, total: 11 });
  });

  it("is fetched whole after a gap, and goes on from there", async () => {
    fetched = [{ sequence: 7, total: 70 }];
    watch().wake();
    line().say({ snapshot: { sequence: 1, total: 0 } });

    line().say({ sequence: 6, add: 1 });
    line().say({ sequence: 8, add: 5 });
    await settled();

    expect(seen.at(-1)).toEqual({ state: { sequence: 8, total: 75 }, connection: "live" });
  });

  it("begins anew when the gap cannot be healed", async () => {
    watch().wake();
    line().say({ snapshot: { sequence: 1, total: 0 } });

    line().say({ sequence: 3, add: 1 });
    await settled();

    expect(seen.at(-1)?.connection).toBe("lost");
    expect(waits).toHaveLength(1);
  });

  it("begins anew when fetching never closes the gap", async () => {
    fetched = [1, 1, 1, 1, 1, 1].map((sequence) => ({ sequence, total: 0 }));
    watch().wake();
    line().say({ snapshot: { sequence: 1, total: 0 } });

    line().say({ sequence: 9, add: 1 });
    await settled();

    expect(seen.at(-1)?.connection).toBe("lost");
    expect(fetched).toHaveLength(3);
  });
});

describe("a lost connection", () => {
  it("keeps the last state and is opened anew after a while", () => {
    watch().wake();
    line().say({ snapshot: { sequence: 1, total: 3 } });

    line().lose();
    waits[0]?.();
    line().say({ snapshot: { sequence: 9, total: 30 } });

    expect(seen.map((one) => one.connection)).toEqual(["connecting", "live", "lost", "connecting", "live"]);
    expect(seen[2]?.state).toEqual({ sequence: 1, total: 3 });
    expect(lines).toHaveLength(2);
  });

  it("is not tried again where the server refuses for good", () => {
    watch().wake();

    line().lose(4404);

    expect(waits).toHaveLength(0);
  });

  it("is opened at once when the network is back", () => {
    const watched = watch();
    watched.wake();
    line().lose();

    watched.hurry();
    watched.hurry();

    expect(lines).toHaveLength(2);
    expect(waits).toHaveLength(0);
  });

  it("is given up when the server has been silent for too long", () => {
    watch().wake();
    line().say({ snapshot: { sequence: 1, total: -3 } });
    const first = line();

    waits[0]?.();

    expect(first.closed).toBe(true);
    expect(seen.at(-1)?.connection).toBe("lost");
  });

  it("is closed while asleep and opened on waking", () => {
    const watched = watch();
    watched.wake();
    line().say({ snapshot: { sequence: 1, total: 3 } });

    watched.sleep();
    const first = line();
    watched.wake();

    expect(first.closed).toBe(true);
    expect(lines).toHaveLength(2);
  });

  it("says nothing more once it was let go", () => {
    const watched = watch();
    watched.wake();
    const first = line();

    watched.sleep();
    first.say({ snapshot: { sequence: 1, total: 3 } });
    first.lose();

    expect(seen.at(-1)).toEqual({ state: null, connection: "asleep" });
    expect(waits).toHaveLength(0);
  });
});
