import { useState } from "react";
import { restartJob, stopJob } from "../../api/calls";
import { useWhyNot } from "../../api/rights";
import type { Job, Topology } from "../../api/types";
import { Button } from "../../parts/controls/Button";
import { Confirm } from "../../parts/messages/Confirm";
import { DeployDialog } from "../deploy/DeployDialog";
import { restartWords } from "./words";

interface Props {
  readonly title: string;
  readonly job: Job;
  readonly topology: Topology;
  readonly standing: Pick<Job, "status"> & { readonly desired: string };
  readonly changed: () => void;
}

type Asking = "deploy" | "stop" | "restart" | null;

/** The buttons of a job. Each asks first, saying what happens to records and state. */
export function JobActions({ title, job, topology, standing, changed }: Props) {
  const [asking, setAsking] = useState<Asking>(null);
  const why = useWhyNot("operator", job.project);
  const close = () => setAsking(null);
  const stopped = standing.desired === "stopped";
  const act = async (asked: Promise<Job>) => {
    await asked;
    changed();
  };

  return (
    <div className="actions">
      <Button icon="deploy" why={why} onClick={() => setAsking("deploy")}>
        Deploy
      </Button>
      <Button icon="restart" look={stopped ? "primary" : "plain"} why={why} onClick={() => setAsking("restart")}>
        {stopped ? "Start" : "Restart"}
      </Button>
      <Button icon="stop" look="danger" disabled={stopped} why={why} onClick={() => setAsking("stop")}>
        Stop
      </Button>
      {asking === "deploy" && (
        <DeployDialog
          name={title}
          wanted={{ topology: topology.id, name: job.name }}
          deployed={changed}
          close={close}
        />
      )}
      {asking === "stop" && (
        <Confirm title={`Stop ${title}?`} verb="Stop" look="danger" act={() => act(stopJob(job.id))} close={close}>
          <p>
            The job finishes its current batch, then stops. State and offsets are kept, and the job continues there when
            you start it.
          </p>
        </Confirm>
      )}
      {asking === "restart" && (
        <Confirm
          title={`${stopped ? "Start" : "Restart"} ${title}?`}
          verb={stopped ? "Start" : "Restart"}
          act={() => act(restartJob(job.id))}
          close={close}
        >
          <p>{restartWords(job.version_number)}</p>
        </Confirm>
      )}
    </div>
  );
}
