import { useState } from "react";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import "./ImportDialog.css";

interface Props {
  readonly busy: boolean;
  readonly pickFile: () => void;
  readonly send: (text: string) => void;
  readonly close: () => void;
}

/** Asks for what is to be imported: a file, or a text that is pasted. */
export function ImportDialog({ busy, pickFile, send, close }: Props) {
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
        className="import-text"
        aria-label="Text to import"
        placeholder={"Topologies:\n   Sub-topology: 0\n    Source: …"}
        spellCheck={false}
        wrap="off"
        rows={8}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
