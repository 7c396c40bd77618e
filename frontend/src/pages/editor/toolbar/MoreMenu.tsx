import { useState } from "react";
import { exportJava, exportProgram, exportTopology, importTopology } from "../../../api/calls";
import { toRefusal } from "../../../api/refusal";
import { explainWhyNot, listProjects, useRights, type Role } from "../../../api/rights";
import type { Note } from "../../../api/types";
import { MAX_LENGTHS } from "../../../api/values";
import { hrefs } from "../../../ui/routing/route";
import { openPath } from "../../../ui/routing/usePath";
import { useEditing } from "../../../editor/interface/useEditor";
import { useDeployment } from "../../../editor/interface/useDeployment";
import { startTour } from "../tour/running";
import { decodeBase64, saveFile } from "./parts/download";
import { JavaDialog } from "./questions/JavaDialog";
import { Icon } from "../../../ui/icons/Icon";
import type { MenuItem } from "../../../ui/controls/MenuList";
import { openPanel } from "../../../canvas/flow/panels";
import { Menu } from "./parts/Menu";
import type { Asking } from "../../../editor/interface/interfaceStore";
import { useJobStatus } from "./job/useJobStatus";

const COPY = " copy";

interface Props {
  readonly ask: (asking: Asking) => void;
  readonly rename: () => void;
  readonly onRefuse: (message: string, hint: string) => void;
}

/** An entry for users with the role for it. */
type Item = MenuItem & { readonly needs?: Role };

/** Less frequent actions. */
export function MoreMenu({ ask, rename, onRefuse }: Props) {
  const { autosave } = useEditing();
  const { topology, job } = useDeployment();
  const rights = useRights();
  const [notes, setNotes] = useState<readonly Note[] | null>(null);
  const ownProjects = rights === null ? [] : listProjects(rights, "administrator");
  const canMove = ownProjects.includes(topology.project) && ownProjects.length > 1;
  const isStopped = useJobStatus()?.desired === "stopped";
  const exportAs = async (save: () => Promise<void>) => {
    try {
      if (!(await autosave.flush())) {
        onRefuse("It would not contain unsaved changes.", "Wait until it says Saved, or resolve the conflict.");
        return;
      }
      await save();
    } catch (error) {
      const { message, hint } = toRefusal(error);
      onRefuse(message, hint);
    }
  };
  const asJson = async () => {
    const text = JSON.stringify(await exportTopology(topology.id), null, 2);
    saveFile(`${topology.slug}.json`, `${text}\n`, "application/json");
  };
  const duplicate = async () => {
    const name = `${topology.name.slice(0, MAX_LENGTHS.topologyName - COPY.length)}${COPY}`;
    const { id } = await importTopology({ ...(await exportTopology(topology.id)), name }, topology.project);
    openPath(hrefs.editor(id));
  };
  const asPython = async () => {
    const { file, program } = await exportProgram(topology.id);
    saveFile(file, program, "text/x-python");
  };
  const asJava = async () => {
    const project = await exportJava(topology.id);
    saveFile(project.file, decodeBase64(project.archive), "application/zip");
    if (project.notes.length > 0) setNotes(project.notes);
  };
  const ofJob: readonly Item[] =
    job === null
      ? []
      : [
          {
            word: isStopped ? "Start" : "Restart",
            act: () => ask(isStopped ? "start" : "restart"),
            isFirstOfGroup: true,
            needs: "operator",
          },
        ];
  const deletion: readonly Item[] =
    job === null
      ? []
      : [{ word: "Delete job", act: () => ask("delete job"), isDanger: true, isFirstOfGroup: true, needs: "operator" }];
  const items: readonly Item[] = [
    { word: "Rename", act: rename, needs: "editor" },
    { word: "Duplicate", act: () => void exportAs(duplicate), needs: "editor" },
    ...(canMove ? [{ word: "Move to another project", act: () => ask("move") }] : []),
    { word: "Versions", act: () => ask("versions"), isFirstOfGroup: true },
    ...(job === null ? [] : [{ word: "Details of the job", act: { href: hrefs.job(job.id) } }]),
    { word: "Kafka ACLs", act: () => ask("acls") },
    { word: "Export", act: () => void exportAs(asJson), isFirstOfGroup: true },
    { word: "Export as Python", act: () => void exportAs(asPython) },
    { word: "Export as Java", act: () => void exportAs(asJava) },
    { word: "Save a picture", act: () => ask("picture") },
    { word: "Share by link", act: () => ask("share"), needs: "editor" },
    { word: "Keyboard shortcuts", keys: "?", act: () => openPanel("shortcuts"), isFirstOfGroup: true },
    { word: "Show the tour", act: startTour },
    ...ofJob,
    ...deletion,
    {
      word: "Delete topology",
      act: () => ask("delete topology"),
      isDanger: true,
      isFirstOfGroup: job === null,
      needs: "editor",
    },
  ];
  const { project } = topology;
  const usable = items.filter(({ needs }) => needs === undefined || explainWhyNot(rights, needs, project) === null);
  return (
    <>
      <Menu name="More" icon={<Icon name="more" />} items={usable} />
      {notes !== null && <JavaDialog notes={notes} close={() => setNotes(null)} />}
    </>
  );
}
