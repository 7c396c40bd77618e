import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { JOB_STATUS } from "../../../live/samples";
import type { JobStatus } from "../../../live/state";
import { RetryNotice } from "./RetryNotice";

const START = Date.parse("2026-01-01T00:00:10Z");
const AGAIN: JobStatus = {
  ...JOB_STATUS,
  status: "starting",
  start_after: "2026-01-01T00:00:10Z",
  last_failure: { code: "spark.no_executor", message: "No executor came.", hint: "Start a worker." },
};
const drawn = (jobStatus: Partial<JobStatus>, now: number) =>
  renderToStaticMarkup(<RetryNotice jobStatus={{ ...AGAIN, ...jobStatus }} now={now} />);

it("says why the last run failed while the next one waits, and while it starts", () => {
  for (const [html, next] of [
    [drawn({}, START - 7_400), "The last run failed. The next starts in 8 s."],
    [drawn({}, START + 30_000), "The last run failed. The current run has not committed a batch yet."],
    [drawn({ status: "running", start_after: null }, START + 60_000), "The current run has not committed a batch yet."],
  ] as const) {
    expect(html).toContain(next);
    expect(html).toContain("No executor came. Start a worker.");
  }
});

it("is silent once there is no failure to tell", () => {
  expect(drawn({ last_failure: null }, START)).toBe("");
});
