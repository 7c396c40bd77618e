import { useState } from "react";
import { importTopology } from "../../api/calls";
import { Refusal, toRefusal } from "../../api/refusal";
import type { ExportFile, ImportResult } from "../../api/types";
import { parseImport } from "../../editor/graph/description";
import { useWhyNot } from "../../api/rights";
import { Button } from "../../ui/controls/Button";
import { ImportDialog } from "./ImportDialog";
import { ProjectChoice } from "./ProjectChoice";
import { useProject } from "./useProject";

interface Props {
  readonly onImport: (result: ImportResult) => void;
}

/** Sends a file or a text with an exported topology or a Kafka Streams description. Rejected input stays. */
export function ImportButton({ onImport }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [project, choose] = useState<string>();
  const into = useProject(project);
  const why = useWhyNot("editor");

  const send = async (read: () => Promise<string>, file?: string) => {
    setBusy(true);
    setRefusal(null);
    try {
      onImport(await importTopology(readExport(await read(), file), into));
      setAsking(false);
    } catch (error) {
      setRefusal(toRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  const close = () => {
    setAsking(false);
    setRefusal(null);
  };

  return (
    <>
      <Button icon="import" isBusy={isBusy} why={why} onClick={() => setAsking(true)}>
        Import
      </Button>
      {isAsking && (
        <ImportDialog
          isBusy={isBusy}
          refusal={refusal}
          pickFile={(file) => void send(() => file.text(), file.name)}
          send={(text) => void send(() => Promise.resolve(text))}
          close={close}
        >
          <ProjectChoice project={into} choose={choose} />
        </ImportDialog>
      )}
    </>
  );
}

function readExport(text: string, file?: string): ExportFile {
  const content = parseImport(text, file);
  if (content !== null) return content;
  const hint = "Use a file that Export made, or everything that `topology.describe()` prints, from `Topologies:` on.";
  throw new Refusal(0, "import.unknown", `${file ?? "The text"} is neither JSON nor a description.`, hint);
}
