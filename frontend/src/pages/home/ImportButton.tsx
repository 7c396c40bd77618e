import { useState } from "react";
import { importTopology, readDescription } from "../../api/calls";
import { Refusal, toRefusal } from "../../api/refusal";
import type { AggregateStep, ExportFile, ImportResult } from "../../api/types";
import { parseImport } from "../../editor/graph/description";
import { useWhyNot } from "../../api/rights";
import { Button } from "../../ui/controls/Button";
import { makeLoadable } from "../../ui/messages/makeLoadable";
import { ProjectChoice } from "./ProjectChoice";
import { useProject } from "./useProject";

/** Home opens without them. */
const ImportDialog = makeLoadable(() => import("./ImportDialog").then(({ ImportDialog }) => ImportDialog));
const WindowsDialog = makeLoadable(() => import("./WindowsDialog").then(({ WindowsDialog }) => WindowsDialog));

interface Question {
  readonly content: ExportFile;
  readonly aggregates: readonly AggregateStep[];
}

interface Props {
  readonly onImport: (result: ImportResult) => void;
}

/** Sends a file or a text with an exported topology or a Kafka Streams description. Rejected input stays. */
export function ImportButton({ onImport }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [project, choose] = useState<string>();
  const into = useProject(project);
  const why = useWhyNot("editor");

  const take = async (step: () => Promise<void>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await step();
    } catch (error) {
      setRefusal(toRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  const close = () => {
    setAsking(false);
    setQuestion(null);
    setRefusal(null);
  };
  const finish = async (content: ExportFile) => {
    onImport(await importTopology(content, into));
    close();
  };
  /** Imports at once, or first asks which aggregates of a description have windows. */
  const send = (read: () => Promise<string>, file?: string, application?: string) =>
    take(async () => {
      const found = readExport(await read(), file);
      const content = application !== undefined && "description" in found ? { ...found, name: application } : found;
      const aggregates = "description" in content ? (await readDescription(content.description)).aggregates : [];
      if (aggregates.length === 0) await finish(content);
      else setQuestion({ content, aggregates });
    });

  return (
    <>
      <Button icon="import" isBusy={isBusy} why={why} onClick={() => setAsking(true)}>
        Import
      </Button>
      {isAsking && question === null && (
        <ImportDialog
          isBusy={isBusy}
          refusal={refusal}
          pickFile={(file) => void send(() => file.text(), file.name)}
          send={(text, application) => void send(() => Promise.resolve(text), undefined, application)}
          close={close}
        >
          <ProjectChoice project={into} choose={choose} />
        </ImportDialog>
      )}
      {question !== null && (
        <WindowsDialog
          aggregates={question.aggregates}
          isBusy={isBusy}
          refusal={refusal}
          choose={(windows) => void take(() => finish({ ...question.content, windows }))}
          close={close}
        />
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
