import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Job, Topology } from "../../api/types";
import type { LiveJob } from "../../live/useLiveJob";
import { JobTitle } from "./JobTitle";

it("leads from the version of a job to the others", () => {
  const job = { id: 7, name: "orders", version_number: 3, status: "running", started_at: null, ended_at: null };
  const facts = { host: "", spark: "", cluster: "local", application_id: "orders", desired: "running" };

  const html = renderToStaticMarkup(
    <JobTitle
      title="Orders"
      job={{ ...job, ...facts } as unknown as Job}
      topology={{ id: 5, name: "Orders" } as unknown as Topology}
      live={{ state: null } as unknown as LiveJob}
      onChange={() => undefined}
    />,
  );

  expect(html).toContain('Version 3 <a href="/topologies/5?dialog=versions"');
});
