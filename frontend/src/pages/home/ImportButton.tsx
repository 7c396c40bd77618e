import { useRef, useState, type ChangeEvent } from "react";
import { importTopology } from "../../api/calls";
import { Refusal, refusalFrom } from "../../api/refusal";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { RefusalNotice } from "../../parts/Notice";

interface Props {
  readonly imported: () => void;
}

/** Picks a file with an exported topology and sends it. A refusal is shown until it was read. */
export function ImportButton({ imported }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const picked = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    target.value = "";
    if (file === undefined) return;
    setBusy(true);
    try {
      await importTopology(exportedIn(file.name, await file.text()));
      imported();
    } catch (error) {
      setRefusal(refusalFrom(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <input
        ref={input}
        className="unseen"
        type="file"
        accept="application/json,.json"
        aria-label="File with an exported topology"
        tabIndex={-1}
        onChange={(event) => void picked(event)}
      />
      <Button icon="import" busy={busy} onClick={() => input.current?.click()}>
        Import
      </Button>
      {refusal !== null && (
        <Dialog title="The topology was not imported" close={() => setRefusal(null)}>
          <RefusalNotice refusal={refusal} />
        </Dialog>
      )}
    </>
  );
}

function exportedIn(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(0, "import.no_json", `${name} holds no JSON.`, "Pick a file that Export made.");
  }
}
