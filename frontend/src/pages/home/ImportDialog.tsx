import { useState } from "react";
import type { Refusal } from "../../api/refusal";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { RefusalNotice } from "../../parts/Notice";

interface Props {
  readonly busy: boolean;
  readonly refusal: Refusal | null;
  readonly pickFile: () => void;
  readonly send: (text: string) => void;
  readonly close: () => void;
}

/** Asks for what is to be imported: a file, or a text that is pasted. */
export function ImportDialog({ busy, refusal, pickFile, send, close }: Props) {
  const [text, setText] = useState("");
  const action = (
    <Button look="primary" busy={busy} disabled={text.trim() === ""} onClick={() => send(text)}>
      Import the text
    </Button>
  );
  return (
    <Dialog title="Import a topology" close={close} action={action}>
      <p>
        Import what Export made, or what Kafka Streams prints for <code>topology.describe()</code>: its operators,
        wires, topics and stores are drawn, and what the text does not tell is left for you to fill in.
      </p>
      <div>
        <Button icon="import" busy={busy} onClick={pickFile}>
          Pick a file
        </Button>
      </div>
      <textarea
        aria-label="Text to import"
        placeholder={"Topologies:\n   Sub-topology: 0\n    Source: …"}
        spellCheck={false}
        wrap="off"
        rows={8}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}
