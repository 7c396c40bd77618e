import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { JOB_STATUS } from "../../../live/samples";
import type { JobStatus } from "../../../live/state";
import { SmallBatchesNotice } from "./SmallBatchesNotice";

const drawn = (jobStatus: Partial<JobStatus>) =>
  renderToStaticMarkup(<SmallBatchesNotice jobStatus={{ ...JOB_STATUS, ...jobStatus }} />);

it("says that batches are small after a lack of memory", () => {
  expect(drawn({ batch_divisor: 16 })).toContain("Each batch reads at most 1/16 of what the settings allow.");
});

it("is silent with full batches, and while nothing runs", () => {
  expect(drawn({})).toBe("");
  expect(drawn({ batch_divisor: 4, status: "stopped" })).toBe("");
});
