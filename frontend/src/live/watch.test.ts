import { beforeEach, describe, expect, it } from "vitest";
import { FakeSite } from "./fakeSocket";
import type { Connection } from "./line";
import { Watch } from "./watch";

interface Tally {
  readonly sequence: number;
  readonly total: number;
}

interface Added {
  readonly sequence: number;
  readonly add: number;
}

let site: FakeSite;
let seen: { readonly state: Tally | null; readonly connection: Connection }[];
let fetched: Tally[];

function watch(): Watch<Tally, Added> {
  return new Watch<Tally, Added>(site, {
    fetchState: () => {
      const next = fetched.shift();
      return next === undefined ? Promise.reject(new Error("unreachable")) : Promise.resolve(next);
    },
    snapshotOf: (message) => ((message as { snapshot?: Tally }).snapshot ?? null),
    eventOf: (message) => message as Added,
    apply: (state, event) => ({ sequence: event.sequence, total: state.total + event.add }),
    onChange: (state, connection) => seen.push({ state, connection }),
    mostSilence: (state) => (state.total < 0 ? 10_000 : null),
  });
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  site = new FakeSite();
  seen = [];
  fetched = [];
});

describe("a watched state", () => {
  it("is the snapshot with every later event folded in once", () => {
    watch().line.wake();

    site.socket.tell({ snapshot: { sequence: 4, total: 10 } });
    site.socket.tell({ sequence: 4, add: 100 });
    site.socket.tell({ sequence: 5, add: 1 });
    site.socket.tell({ sequence: 5, add: 1 });

    expect(seen.at(-1)).toEqual({ state: { sequence: 5, total: 11 }, connection: "live" });
  });

  it("folds in events that came before the snapshot", () => {
    watch().line.wake();

    site.socket.tell({ sequence: 5, add: 1 });
    site.socket.tell({ snapshot: { sequence: 4, total: 10 } });

    expect(seen.at(-1)?.state).toEqual({ sequence: 5, total: 11 });
  });

  it("is fetched whole after a gap, and goes on from there", async () => {
    fetched = [{ sequence: 7, total: 70 }];
    watch().line.wake();
    site.socket.tell({ snapshot: { sequence: 1, total: 0 } });

    site.socket.tell({ sequence: 6, add: 1 });
    site.socket.tell({ sequence: 8, add: 5 });
    await settled();

    expect(seen.at(-1)).toEqual({ state: { sequence: 8, total: 75 }, connection: "live" });
  });

  it("starts over when the gap cannot be healed", async () => {
    watch().line.wake();
    site.socket.tell({ snapshot: { sequence: 1, total: 0 } });

    site.socket.tell({ sequence: 3, add: 1 });
    await settled();

    expect(seen.at(-1)?.connection).toBe("lost");
    expect(site.waits).toHaveLength(1);
  });

  it("starts over when fetching never closes the gap", async () => {
    fetched = [1, 1, 1, 1, 1, 1].map((sequence) => ({ sequence, total: 0 }));
    watch().line.wake();
    site.socket.tell({ snapshot: { sequence: 1, total: 0 } });

    site.socket.tell({ sequence: 9, add: 1 });
    await settled();

    expect(seen.at(-1)?.connection).toBe("lost");
    expect(fetched).toHaveLength(3);
  });
});

describe("a lost connection", () => {
  it("keeps the last state and is reopened after a while", () => {
    watch().line.wake();
    site.socket.tell({ snapshot: { sequence: 1, total: 3 } });

    site.socket.lose();
    site.elapse();
    site.socket.tell({ snapshot: { sequence: 9, total: 30 } });

    expect(seen.map((one) => one.connection)).toEqual(["connecting", "live", "lost", "connecting", "live"]);
    expect(seen[2]?.state).toEqual({ sequence: 1, total: 3 });
    expect(site.sockets).toHaveLength(2);
  });

  it("is not tried again where the server refuses for good", () => {
    watch().line.wake();

    site.socket.lose(4404);

    expect(site.waits).toHaveLength(0);
  });

  it("is given up when the server has been silent for too long", () => {
    watch().line.wake();
    site.socket.open();
    site.socket.tell({ snapshot: { sequence: 1, total: -3 } });
    const first = site.socket;

    site.elapse();

    expect(first.isClosed).toBe(true);
    expect(seen.at(-1)?.connection).toBe("lost");
  });

  it("says nothing more once it was let go", () => {
    const watched = watch();
    watched.line.wake();
    const first = site.socket;

    watched.line.sleep();
    first.tell({ snapshot: { sequence: 1, total: 3 } });
    first.lose();

    expect(seen.at(-1)).toEqual({ state: null, connection: "asleep" });
    expect(site.waits).toHaveLength(0);
  });
});
