import { useState, type ReactNode } from "react";
import type { Refusal } from "../../api/refusal";
import { Button } from "../../ui/controls/Button";
import { FileButton } from "../../ui/controls/FileButton";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice } from "../../ui/messages/Notice";
import { ApplicationField } from "./ApplicationField";

interface Props {
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  readonly pickFile: (file: File) => void;
  /** Sends a text, with the name of the application that it describes. */
  readonly send: (text: string, application?: string) => void;
  readonly close: () => void;
  /** Other questions. */
  readonly children: ReactNode;
}

const ACCEPTED = "application/json,.json,text/plain,.txt,.log";

/** Asks for the input of an import: a file, or a pasted text. */
export function ImportDialog({ isBusy, refusal, pickFile, send, close, children }: Props) {
  const [text, setText] = useState("");
  const [application, setApplication] = useState<string>();
  const action = (
    <Button look="primary" isBusy={isBusy} disabled={text.trim() === ""} onClick={() => send(text, application)}>
      Import the text
    </Button>
  );
  return (
    <Dialog title="Import a topology" close={close} action={action}>
      <p>
        Import a file that Export made, or the text that Kafka Streams prints for <code>topology.describe()</code>.
        Brokers of Kafka 4.4 can keep this text of a running application. Streamwright adds its operators, edges, topics
        and stores. You fill in what the text does not say.
      </p>
      {children}
      <div>
        <FileButton
          label="File with an exported topology"
          accept={ACCEPTED}
          icon="import"
          isBusy={isBusy}
          pick={pickFile}
        >
          Pick a file
        </FileButton>
      </div>
      <ApplicationField
        take={(description, name) => {
          setText(description);
          setApplication(name);
        }}
      />
      <textarea
        aria-label="Text to import"
        placeholder={"Topologies:\n   Sub-topology: 0\n    Source: …"}
        spellCheck={false}
        wrap="off"
        rows={8}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          if (event.target.value === "") setApplication(undefined);
        }}
      />
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}
