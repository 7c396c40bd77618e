import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Job, Topology } from "../../api/types";
import type { JobStatus } from "../../live/state";
import type { LiveJob } from "../../live/useLiveJob";
import { JobTitle } from "./JobTitle";

function draw(jobStatus: Partial<JobStatus> | null): string {
  const job = { id: 7, name: "orders", version: 30, version_number: 3, status: "running", desired: "running" };
  const facts = { host: "", spark: "", cluster: "local", application_id: "orders", started_at: null, ended_at: null };
  const state = jobStatus === null ? null : { jobStatus: { ...job, ...facts, ...jobStatus } };
  return renderToStaticMarkup(
    <JobTitle
      title="Orders"
      job={{ ...job, ...facts } as unknown as Job}
      topology={{ id: 5, name: "Orders" } as unknown as Topology}
      live={{ state } as unknown as LiveJob}
      onChange={() => undefined}
    />,
  );
}

it("leads from the version of a job to the others", () => {
  expect(draw(null)).toContain('Version 3 <a href="/topologies/5?dialog=versions"');
});

it("names the version that runs before the one that takes over", () => {
  expect(draw({ running_version: 30 })).toContain("Version 3 <a");

  // the server is asked for its number
  expect(draw({ running_version: 29 })).toContain("Version …, then 3 <a");
});
