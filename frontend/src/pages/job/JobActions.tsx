import { useState } from "react";
import { restartJob, stopJob } from "../../api/calls";
import { useWhyNot } from "../../api/rights";
import type { Job, Topology } from "../../api/types";
import type { LiveState } from "../../live/state";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { Prose } from "../../ui/messages/Prose";
import { DeployDialog } from "../deploy/DeployDialog";
import { describeRestart } from "./text";

interface Props {
  readonly title: string;
  readonly job: Job;
  readonly topology: Topology;
  readonly jobStatus: Pick<Job, "status"> & { readonly desired: string };
  readonly live: LiveState | null;
  readonly onChange: () => void;
}

type Asking = "deploy" | "stop" | "restart" | null;

/** The buttons of a job. Each asks first and explains the effect on records and state. */
export function JobActions({ title, job, topology, jobStatus, live, onChange }: Props) {
  const [asking, setAsking] = useState<Asking>(null);
  const why = useWhyNot("operator", job.project);
  const close = () => setAsking(null);
  const isStopped = jobStatus.desired === "stopped";
  const act = async (request: Promise<Job>) => {
    await request;
    onChange();
  };

  return (
    <div className="actions">
      <Button icon="deploy" why={why} onClick={() => setAsking("deploy")}>
        Deploy
      </Button>
      <Button icon="restart" look={isStopped ? "primary" : "plain"} why={why} onClick={() => setAsking("restart")}>
        {isStopped ? "Start" : "Restart"}
      </Button>
      <Button icon="stop" look="danger" disabled={isStopped} why={why} onClick={() => setAsking("stop")}>
        Stop
      </Button>
      {asking === "deploy" && (
        <DeployDialog
          name={title}
          deployment={{ topology: topology.id, name: job.name }}
          onDeploy={onChange}
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
          title={`${isStopped ? "Start" : "Restart"} ${title}?`}
          verb={isStopped ? "Start" : "Restart"}
          act={() => act(restartJob(job.id))}
          close={close}
        >
          <p>
            <Prose text={describeRestart(job.version_number, live)} />
          </p>
        </Confirm>
      )}
    </div>
  );
}
