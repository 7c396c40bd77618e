import { beforeEach, expect, it } from "vitest";
import { FakeSite } from "./fakeSocket";
import { Line, type Connection } from "./line";

let site: FakeSite;
let heard: unknown[];
let seen: Connection[];
let line: Line;

beforeEach(() => {
  site = new FakeSite();
  heard = [];
  seen = [];
  line = new Line(site, {
    onOpen: () => seen.push("live"),
    onMessage: (message) => heard.push(message),
    onChange: (connection) => seen.push(connection),
  });
  line.wake();
});

it("passes on what the server says, and says what it is told", () => {
  line.say({ type: "too early" });
  site.socket.open();
  site.socket.tell({ type: "hello" });
  line.say({ type: "thanks" });

  expect(seen).toEqual(["connecting", "live"]);
  expect(heard).toEqual([{ type: "hello" }]);
  expect(site.socket.messages).toEqual([{ type: "thanks" }]);
});

it("reconnects after a loss, waiting longer each time", () => {
  for (let times = 0; times < 6; times += 1) {
    site.socket.lose();
    expect(seen.at(-1)).toBe("lost");
    site.elapse();
  }
  site.socket.lose();

  expect(site.sockets).toHaveLength(7);
  expect(site.waits[0]?.ms).toBeGreaterThan(5_000);
});

it("waits but a moment once the server spoke", () => {
  for (let times = 0; times < 6; times += 1) {
    site.socket.lose();
    site.elapse();
  }

  line.hasSpoken();
  site.socket.lose();

  expect(site.waits[0]?.ms).toBeLessThanOrEqual(500);
});

it("hurries when the network is back, once", () => {
  site.socket.lose();

  line.hurry();
  line.hurry();

  expect(site.sockets).toHaveLength(2);
  expect(site.waits).toEqual([]);
});

it("lets go while asleep, hears no more of the old connection, and goes on when woken", () => {
  const first = site.socket;
  first.open();

  line.sleep();
  first.tell({ type: "late" });
  first.lose();
  line.wake();

  expect(first.isClosed).toBe(true);
  expect(heard).toEqual([]);
  expect(site.waits).toEqual([]);
  expect(seen).toEqual(["connecting", "live", "asleep", "connecting"]);
});

it("lets go of a connection still being made once it is there", () => {
  line.sleep();
  expect(site.socket.isClosed).toBe(false);
  site.socket.open();

  expect(site.socket.isClosed).toBe(true);
  expect(seen).toEqual(["connecting", "asleep"]);
});

it("gives up a connection that is as good as lost", () => {
  const first = site.socket;
  first.open();

  line.lose();
  site.elapse();

  expect(first.isClosed).toBe(true);
  expect(site.sockets).toHaveLength(2);
  expect(seen).toEqual(["connecting", "live", "lost", "connecting"]);
});

it("is gone for good when there is nothing here", () => {
  site.socket.lose(4404);
  line.wake();
  line.sleep();

  expect(seen.at(-1)).toBe("gone");
  expect(site.sockets).toHaveLength(1);
  expect(site.waits).toEqual([]);
  expect(site.isSignedOut).toBe(false);
});

it("leads anyone who is signed out to the sign-in page", () => {
  site.socket.lose(4401);

  expect(site.isSignedOut).toBe(true);
  expect(site.waits).toEqual([]);
});
