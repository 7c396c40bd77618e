import { useState } from "react";
import { listJobs, listTopologies } from "../../api/calls";
import type { Job, Topology } from "../../api/types";
import { useResource } from "../../api/useResource";
import { BackLink } from "../../ui/controls/BackLink";
import { RefusalNotice } from "../../ui/messages/Notice";
import { hrefs } from "../../ui/routing/route";
import { useTitle } from "../../ui/routing/useTitle";
import { Skeleton } from "../../ui/display/Skeleton";
import { nameJob } from "../home/cards";
import { DeadLettersOfJob } from "./DeadLettersOfJob";
import "./DeadLetters.css";

interface Props {
  readonly of: "job" | "topology";
  readonly id: number;
}

async function fetchEverything(): Promise<{ readonly jobs: readonly Job[]; readonly topologies: readonly Topology[] }> {
  const [jobs, topologies] = await Promise.all([listJobs(), listTopologies()]);
  return { jobs, topologies };
}

/** The dead letters of a job, or of one of a topology's jobs. */
export function DeadLettersPage({ of, id }: Props) {
  const { data, refusal } = useResource(fetchEverything);
  const [pickedId, setPickedId] = useState<number | null>(null);
  const own = data?.jobs.filter((job) => (of === "job" ? job.id : job.topology) === id) ?? [];
  const job = own.find((each) => each.id === pickedId) ?? own[0];
  const topology = data?.topologies.find((each) => each.id === (job?.topology ?? id));
  const title = job !== undefined && topology !== undefined ? nameJob(job, topology) : (topology?.name ?? "");
  useTitle(title === "" ? "Dead letters" : `Dead letters of ${title}`);

  return (
    <div className="page letters-page records-page">
      <div className="title">
        <div>
          <BackLink href={of === "job" ? hrefs.job(id) : hrefs.editor(id)}>{title === "" ? "Back" : title}</BackLink>
          <h1>Dead letters</h1>
        </div>
        {own.length > 1 && (
          <label className="choice controls">
            Job
            <select value={job?.id} onChange={({ target }) => setPickedId(Number(target.value))}>
              {own.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton />}
      {data !== null && job === undefined && (
        <p className="quiet">No job runs this topology yet. Deploy it to see dead letters.</p>
      )}
      {job !== undefined && <DeadLettersOfJob key={job.id} job={job} />}
    </div>
  );
}
