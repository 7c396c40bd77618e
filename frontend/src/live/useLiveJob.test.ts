import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeSocket } from "./fakeSocket";
import { followJob, NOTHING, type LiveJob } from "./useLiveJob";

let answer: (points: readonly object[]) => void;

beforeEach(() => {
  const page = { hidden: false, addEventListener: vi.fn(), removeEventListener: vi.fn() };
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", { ...page, location: { origin: "http://here" }, setTimeout, clearTimeout });
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async () => {
    const points = await new Promise((resolve) => (answer = resolve));
    return new Response(JSON.stringify(points));
  });
});

afterEach(() => vi.unstubAllGlobals());

const settled = () => new Promise((resolve) => setTimeout(resolve));

it("shows the last hour of a job, but not after the page has left it for another one", async () => {
  let shown: LiveJob = NOTHING;
  const change = (update: (before: LiveJob) => LiveJob) => (shown = update(shown));
  const leave = followJob(1, change);
  answer([{ at: 1_000, rate: 5 }]);
  await settled();
  expect(shown.history).toHaveLength(1);

  leave();
  shown = NOTHING;
  const leaveThat = followJob(2, change);
  const late = answer;
  leaveThat();
  followJob(3, change)();
  late([{ at: 1_000, rate: 7 }]);
  await settled();

  expect(shown.history).toEqual([]);
});
