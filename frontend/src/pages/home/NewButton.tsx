import { useState } from "react";
import { createTopology } from "../../api/calls";
import { refusalFrom, type Refusal } from "../../api/refusal";
import { hrefs } from "../../app/route";
import { go } from "../../app/usePath";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { RefusalNotice } from "../../parts/Notice";

/** Makes an empty topology and opens it; its name is given there. */
export function NewButton() {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const make = async () => {
    setBusy(true);
    try {
      const made = await createTopology("Untitled");
      go(hrefs.editor(made.id));
    } catch (error) {
      setRefusal(refusalFrom(error));
      setBusy(false);
    }
  };
  return (
    <>
      <Button look="primary" busy={busy} onClick={() => void make()}>
        New topology
      </Button>
      {refusal !== null && (
        <Dialog title="No topology was made" close={() => setRefusal(null)}>
          <RefusalNotice refusal={refusal} />
        </Dialog>
      )}
    </>
  );
}
