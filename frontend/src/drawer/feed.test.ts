import { beforeEach, describe, expect, it } from "vitest";
import type { FeedMessage } from "../api/feed";
import { Feed, type FeedConnection, type FeedSocket } from "./feed";

class Line implements FeedSocket {
  closed = false;
  readonly said: unknown[] = [];
  private readonly listeners: Partial<Record<string, (event: never) => void>> = {};

  addEventListener(type: string, listener: (event: never) => void): void {
    this.listeners[type] = listener;
  }

  open(): void {
    this.listeners.open?.({} as never);
  }

  tell(message: unknown): void {
    this.listeners.message?.({ data: JSON.stringify(message) } as never);
  }

  lose(code = 1006): void {
    this.listeners.close?.({ code } as never);
  }

  send(text: string): void {
    this.said.push(JSON.parse(text));
  }

  close(): void {
    this.closed = true;
  }
}

let lines: Line[];
let heard: FeedMessage[];
let seen: FeedConnection[];
let waits: { readonly ms: number; readonly then: () => void }[];
let signedOut: boolean;

function feed(): Feed {
  return new Feed({
    open: () => {
      lines.push(new Line());
      return line();
    },
    heard: (message) => heard.push(message),
    changed: (connection) => seen.push(connection),
    signIn: () => (signedOut = true),
    wait: (ms, then) => {
      const waiting = { ms, then };
      waits.push(waiting);
      return () => (waits = waits.filter((one) => one !== waiting));
    },
  });
}

function line(): Line {
  const last = lines.at(-1);
  if (last === undefined) throw new Error("No connection was opened.");
  return last;
}

function retry(): void {
  const next = waits.shift();
  if (next === undefined) throw new Error("Nothing waits.");
  next.then();
}

beforeEach(() => {
  lines = [];
  heard = [];
  seen = [];
  waits = [];
  signedOut = false;
});

describe("a feed", () => {
  it("passes on what the server says", () => {
    feed().wake();

    line().open();
    line().tell({ type: "records", records: [], skipped: 0 });

    expect(seen).toEqual(["connecting", "live"]);
    expect(heard).toEqual([{ type: "records", records: [], skipped: 0 }]);
  });

  it("connects anew after a loss, waiting longer each time", () => {
    feed().wake();

    for (let times = 0; times < 6; times += 1) {
      line().lose();
      expect(seen.at(-1)).toBe("lost");
      retry();
    }
    line().lose();

    expect(lines).toHaveLength(7);
    expect(waits[0]?.ms).toBeGreaterThan(5_000);
  });

  it("waits longer for a server that lets it in only to send it away", () => {
    feed().wake();

    for (let times = 0; times < 6; times += 1) {
      line().open();
      line().tell({ type: "refused", code: "viewers.too_many", message: "Full.", hint: "Wait." });
      line().lose(4429);
      retry();
    }
    line().lose(4429);

    expect(waits[0]?.ms).toBeGreaterThan(5_000);
  });

  it("waits but a moment once the server spoke", () => {
    feed().wake();
    line().lose();
    retry();
    line().lose();
    retry();

    line().tell({ type: "waiting", message: "Nothing yet." });
    line().lose();

    expect(waits[0]?.ms).toBeLessThanOrEqual(500);
  });

  it("hurries when the network is back", () => {
    const one = feed();
    one.wake();
    line().lose();

    one.hurry();

    expect(lines).toHaveLength(2);
    expect(waits).toEqual([]);
  });

  it("lets go while asleep, hears no more of the old connection, and goes on when woken", () => {
    const one = feed();
    one.wake();
    const first = line();
    first.open();

    one.sleep();
    first.tell({ type: "waiting", message: "late" });
    first.lose();
    one.wake();

    expect(first.closed).toBe(true);
    expect(heard).toEqual([]);
    expect(seen).toEqual(["connecting", "live", "asleep", "connecting"]);
  });

  it("lets go of a connection still being made once it is there", () => {
    const one = feed();
    one.wake();

    one.sleep();
    expect(line().closed).toBe(false);
    line().open();

    expect(line().closed).toBe(true);
    expect(seen).toEqual(["connecting", "asleep"]);
  });

  it("tells the server of a pause, also over a new connection", () => {
    const one = feed();
    one.wake();
    line().open();

    one.pause();
    line().lose();
    retry();
    line().open();
    one.resume();

    expect(lines.map(({ said }) => said)).toEqual([[{ type: "pause" }], [{ type: "pause" }, { type: "resume" }]]);
  });

  it("is gone for good when there is nothing to follow", () => {
    const one = feed();
    one.wake();

    line().lose(4404);
    one.wake();

    expect(seen.at(-1)).toBe("gone");
    expect(lines).toHaveLength(1);
    expect(waits).toEqual([]);
    expect(signedOut).toBe(false);
  });

  it("leads whoever is signed out to the sign-in page", () => {
    feed().wake();

    line().lose(4401);

    expect(signedOut).toBe(true);
    expect(waits).toEqual([]);
  });
});
