import { deleteJob, deleteTopology, restartJob, stopJob } from "../../../../api/calls";
import { hrefs } from "../../../../ui/routing/route";
import { openPath } from "../../../../ui/routing/usePath";
import { deleteStash } from "../../../../editor/saving/stash";
import { DeployDialog } from "../../../deploy/DeployDialog";
import { describeRestart } from "../../../job/text";
import type { Asking } from "../../../../editor/interface/interfaceStore";
import { useInterfaceActions } from "../../../../editor/interface/useEditor";
import { useDeployment } from "../../../../editor/interface/useDeployment";
import { useLive } from "../../../../live/LiveContext";
import { Prose } from "../../../../ui/messages/Prose";
import { Confirm } from "../../../../ui/messages/Confirm";
import { AclsDialog } from "./AclsDialog";
import { DeleteQuestion } from "./DeleteQuestion";
import { DeleteTopology } from "./DeleteTopology";
import { MoveQuestion } from "./MoveQuestion";
import { PictureDialog } from "./PictureDialog";
import type { Word } from "../parts/TransientNotice";
import { ShareDialog } from "./ShareDialog";
import { Versions } from "./Versions";
import { DELETE_BOTH, DELETE_JOB, DELETE_TOPOLOGY, STOP } from "../parts/text";

interface Props {
  readonly asking: Exclude<Asking, "check">;
  readonly say: (word: Word) => void;
  readonly close: () => void;
}

/** The questions before all actions that affect others. */
export function Questions({ asking, say, close }: Props) {
  const { topology, job, cluster, reload } = useDeployment();
  const { openDrawer } = useInterfaceActions();
  const { id, name } = topology;
  const restart = useLive(({ state }) => (job === null ? "" : describeRestart(job.version_number, state)));
  const then = async (request: Promise<unknown>) => {
    await request;
    await reload();
  };

  if (asking === "deploy") {
    const deployment = { topology: id, cluster, ...(job !== null && { name: job.name }) };
    const open = () => {
      openDrawer("proof");
      close();
    };
    return (
      <DeployDialog
        name={name}
        deployment={deployment}
        onDeploy={() => void reload()}
        close={close}
        proving={job === null ? null : { job: job.id, open }}
      />
    );
  }
  if (asking === "versions") return <Versions say={say} close={close} />;
  if (asking === "acls") return <AclsDialog topology={id} close={close} />;
  if (asking === "picture") return <PictureDialog close={close} />;
  if (asking === "share") return <ShareDialog close={close} />;
  if (asking === "move") return <MoveQuestion close={close} />;
  if (asking === "delete topology") {
    const act = async () => {
      if (job !== null) await deleteJob(job.id);
      await deleteTopology(id);
      deleteStash(id);
      openPath(hrefs.home);
    };
    const effects = job === null ? DELETE_TOPOLOGY : DELETE_BOTH;
    return <DeleteTopology title={`Delete ${name}?`} {...effects} job={job} act={act} close={close} topology={id} />;
  }
  if (job === null) return null;
  if (asking === "delete job") {
    const act = async () => {
      await then(deleteJob(job.id));
      close();
    };
    return <DeleteQuestion title={`Delete the job of ${name}?`} {...DELETE_JOB} job={job} act={act} close={close} />;
  }
  if (asking === "stop") {
    return (
      <Confirm title={`Stop ${name}?`} verb="Stop" look="danger" act={() => then(stopJob(job.id))} close={close}>
        <p>{STOP}</p>
      </Confirm>
    );
  }
  const verb = asking === "start" ? "Start" : "Restart";
  return (
    <Confirm title={`${verb} ${name}?`} verb={verb} act={() => then(restartJob(job.id))} close={close}>
      <p>
        <Prose text={restart} />
      </p>
    </Confirm>
  );
}
