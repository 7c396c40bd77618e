import { beforeEach, describe, expect, it } from "vitest";
import type { FeedMessage } from "../../api/feed";
import { FakeSite } from "../../live/fakeSocket";
import type { Connection } from "../../live/line";
import { Feed } from "./feed";

let site: FakeSite;
let heard: FeedMessage[];
let seen: Connection[];
let feed: Feed;

beforeEach(() => {
  site = new FakeSite();
  heard = [];
  seen = [];
  feed = new Feed(site, {
    onMessage: (message) => heard.push(message),
    onChange: (connection) => seen.push(connection),
  });
  feed.line.wake();
});

describe("a feed", () => {
  it("passes on what the server says", () => {
    site.socket.open();
    site.socket.tell({ type: "records", records: [], skipped: 0 });

    expect(seen).toEqual(["connecting", "live"]);
    expect(heard).toEqual([{ type: "records", records: [], skipped: 0 }]);
  });

  it("waits longer for a server that lets it in only to send it away", () => {
    for (let times = 0; times < 6; times += 1) {
      site.socket.open();
      site.socket.tell({ type: "refused", code: "viewers.too_many", message: "Full.", hint: "Wait." });
      site.socket.lose(4429);
      site.elapse();
    }
    site.socket.lose(4429);

    expect(site.waits[0]?.ms).toBeGreaterThan(5_000);
  });

  it("waits but a moment once the server spoke", () => {
    for (let times = 0; times < 6; times += 1) {
      site.socket.lose();
      site.elapse();
    }

    site.socket.tell({ type: "waiting", message: "Nothing yet." });
    site.socket.lose();

    expect(site.waits[0]?.ms).toBeLessThanOrEqual(500);
  });

  it("tells the server of a pause, also over a new connection", () => {
    site.socket.open();

    feed.pause();
    site.socket.lose();
    site.elapse();
    site.socket.open();
    feed.resume();

    const [before, after] = site.sockets.map(({ messages: said }) => said);
    expect(before).toEqual([{ type: "pause" }]);
    expect(after).toEqual([{ type: "pause" }, { type: "resume" }]);
  });
});
