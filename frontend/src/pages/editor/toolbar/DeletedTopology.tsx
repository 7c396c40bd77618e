import { useEffect, useId, useRef, useState } from "react";
import { importTopology } from "../../../api/calls";
import { toRefusal, type Refusal } from "../../../api/refusal";
import { hrefs } from "../../../ui/routing/route";
import { openPath } from "../../../ui/routing/usePath";
import { deleteStash } from "../../../editor/saving/stash";
import { useEditing } from "../../../editor/interface/useEditor";
import { useDeployment } from "../../../editor/interface/useDeployment";
import { Button } from "../../../ui/controls/Button";
import { RefusalNotice } from "../../../ui/messages/Notice";
import "../../../ui/messages/Dialog.css";

/** The topology is deleted on the server. Its drawing is still here, and can become a new one. */
export function DeletedTopology() {
  const { store } = useEditing();
  const { topology } = useDeployment();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { graph, schemas } = store.getState().document;

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const leave = () => {
    deleteStash(topology.id);
    openPath(hrefs.home);
  };
  const keep = async () => {
    setBusy(true);
    try {
      const result = await importTopology({ streamwright: 1, name: topology.name, graph, schemas }, topology.project);
      deleteStash(topology.id);
      openPath(hrefs.editor(result.id));
    } catch (error) {
      setRefusal(toRefusal(error));
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={heading} onCancel={(event) => event.preventDefault()}>
      <h2 id={heading}>This topology was deleted.</h2>
      <div className="body">
        <p>A user deleted {topology.name}. Your topology is still on this page. You can keep it as a new one.</p>
        {refusal !== null && <RefusalNotice refusal={refusal} />}
      </div>
      <footer>
        <Button onClick={leave}>Go home</Button>
        <Button look="primary" isBusy={isBusy} disabled={graph.nodes.length === 0} onClick={() => void keep()}>
          Keep as new topology
        </Button>
      </footer>
    </dialog>
  );
}
