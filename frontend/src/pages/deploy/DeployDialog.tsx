import { useCallback, useState } from "react";
import { deploy, previewDeploy } from "../../api/calls";
import { refusalFrom, type Refusal } from "../../api/refusal";
import type { Deploy, Job, OnState } from "../../api/types";
import { useFetched } from "../../api/useFetched";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { RefusalNotice } from "../../parts/Notice";
import { choicesOf } from "./choices";
import { PreviewList } from "./PreviewList";
import { StateChoice } from "./StateChoice";

interface Props {
  readonly name: string;
  readonly wanted: Partial<Deploy>;
  readonly deployed: (job: Job) => void;
  readonly close: () => void;
}

const FIRST = "The drawing is saved as a version, which runs in a job of its own.";
const AGAIN = "The drawing is saved as a version. The job finishes its batch and goes on with that version.";

/** Says what a deploy would do before it is done, and asks where state cannot be kept. */
export function DeployDialog({ name, wanted, deployed, close }: Props) {
  const [look] = useState(() => () => previewDeploy(wanted));
  const preview = useFetched(look);
  const [choice, setChoice] = useState<OnState | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const choices = preview.data === null ? [] : choicesOf(preview.data);
  const undecided = preview.data === null || (choices.length > 0 && choice === null);

  const confirmed = useCallback(async () => {
    setBusy(true);
    setRefusal(null);
    try {
      deployed(await deploy({ ...wanted, on_state: choice ?? "keep" }));
      close();
    } catch (error) {
      setRefusal(refusalFrom(error));
      setBusy(false);
    }
  }, [wanted, choice, deployed, close]);

  const action = (
    <Button look="primary" icon="deploy" busy={busy} disabled={undecided} onClick={() => void confirmed()}>
      Deploy
    </Button>
  );
  const refused = refusal ?? preview.refusal;
  return (
    <Dialog title={`Deploy ${name}?`} close={close} action={action}>
      {preview.data === null && preview.refusal === null && <p className="quiet">Looking at topics and state …</p>}
      {preview.data !== null && (
        <>
          <p>{preview.data.job === null ? FIRST : AGAIN}</p>
          <PreviewList preview={preview.data} />
        </>
      )}
      {choices.length > 0 && <StateChoice choices={choices} chosen={choice} choose={setChoice} />}
      {refused !== null && <RefusalNotice refusal={refused} />}
    </Dialog>
  );
}
