import { useCallback, useState } from "react";
import type { Version, VersionSummary } from "../../../../api/types";
import { useLooking } from "../../../../editor/comparing/useLooking";
import { useDeployment } from "../../../../editor/interface/useDeployment";
import { useDocumentActions, useEditing, useInterfaceActions } from "../../../../editor/interface/useEditor";
import { DeployDialog } from "../../../deploy/DeployDialog";
import { VersionsDialog } from "../../../versions/VersionsDialog";
import type { Word } from "../parts/TransientNotice";

interface Props {
  readonly say: (word: Word) => void;
  readonly close: () => void;
}

/** The versions of the topology on the canvas. A restore is a step of undo. Users can deploy any directly. */
export function Versions({ say, close }: Props) {
  const { topology, job, cluster, reload } = useDeployment();
  const { autosave } = useEditing();
  const { edit } = useDocumentActions();
  const { show } = useInterfaceActions();
  const saveDraft = useCallback(() => autosave.flush(), [autosave]);
  const look = useLooking();
  const [deploying, setDeploying] = useState<VersionSummary | null>(null);
  if (deploying !== null) {
    const deployment = { version: deploying.id, cluster, ...(job !== null && { name: job.name }) };
    const name = `version ${deploying.number} of ${topology.name}`;
    return <DeployDialog name={name} deployment={deployment} onDeploy={() => void reload()} close={close} />;
  }
  const takeBack = ({ number, graph, schemas }: Version) => {
    show("draft");
    edit(() => ({ graph, schemas }));
    say({ tone: "info", title: `The draft is now version ${number}.`, text: "Undo restores what was drawn before." });
  };
  return (
    <VersionsDialog
      topology={topology.id}
      name={topology.name}
      job={job}
      onSave={saveDraft}
      takeBack={takeBack}
      deploy={setDeploying}
      look={look}
      close={close}
    />
  );
}
