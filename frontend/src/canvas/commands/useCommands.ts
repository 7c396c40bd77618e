import { useWhyNot } from "../../api/rights";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { COLOURS } from "../../api/values";
import { useReactFlow } from "@xyflow/react";
import { findBypassable, toggleBypass } from "../../editor/edits/bypassing";
import { fold } from "../../editor/interface/sides";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useEditing, useInterfaceActions, type Editing } from "../../editor/interface/useEditor";
import { withControl } from "../../ui/browser/keys";
import { listArrangements } from "../../editor/edits/arranging";
import { applyTheme } from "../../ui/browser/theme";
import { duplicateSelection } from "../moving/copying";
import { openPanel } from "../flow/panels";
import { listDrawnIds } from "../../editor/edits/notes";
import { useLive } from "../../live/LiveContext";
import { findReach, type Reach } from "../../editor/graph/reaching";
import { useFit } from "../flow/useFit";
import { useNotes } from "./useNotes";
import { useTidy } from "../view/useTidy";

export interface Command {
  readonly word: string;
  readonly keys?: string;
  readonly act: () => void;
}

/** The commands about the topology's job and versions. Those that the user's role does not allow are left out. */
function useJobCommands(): readonly Command[] {
  const { topology, job } = useDeployment();
  const whyNot = useWhyNot("operator", topology.project);
  const whyNotShare = useWhyNot("editor", topology.project);
  const desired = useLive(({ state }) => state?.jobStatus.desired) ?? job?.desired;
  const { ask } = useInterfaceActions();
  const rest: readonly Command[] = [
    { word: "Versions", act: () => ask("versions") },
    { word: "Kafka ACLs", act: () => ask("acls") },
    { word: "Save a picture", act: () => ask("picture") },
    ...(whyNotShare === null ? [{ word: "Share by link", act: () => ask("share") }] : []),
  ];
  if (whyNot !== null) return rest;
  const ofJob: readonly Command[] =
    desired === "running"
      ? [
          { word: "Stop", act: () => ask("stop") },
          { word: "Restart", act: () => ask("restart") },
        ]
      : [{ word: "Start", act: () => ask("start") }];
  return [{ word: "Deploy", act: () => ask("check") }, ...(job === null ? [] : ofJob), ...rest];
}

/** The commands of the finder, besides going somewhere. */
export function useCommands(isReadOnly: boolean, addNode: () => void): readonly Command[] {
  const editing = useEditing();
  const { store, ui, autosave } = editing;
  const flow = useReactFlow();
  const { fit, fitSelection } = useFit();
  const tidy = useTidy();
  const { addNoteAt, frameSelection, setSelectionColour } = useNotes();
  const { graph: shown } = useShownGraph();
  const { undo, redo } = store.getState();
  const { select, openDrawer } = ui.getState();
  const isAny = ui.getState().selection.nodes.size > 0;
  const { nodes: selected } = ui.getState().selection;
  const reach = (way: Reach) => () => select(findReach(shown, selected, way));
  const all = () => select(listDrawnIds(shown));
  const ofJob = useJobCommands();
  const looks: readonly Command[] = [
    ...ofJob,
    { word: "See all", keys: "1", act: fit },
    { word: "See the selection", keys: ".", act: fitSelection },
    { word: "Zoom to 100 %", keys: "0", act: () => void flow.zoomTo(1) },
    ...(isAny
      ? [
          { word: "Select upstream", keys: "Shift+←", act: reach("upstream") },
          { word: "Select downstream", keys: "Shift+→", act: reach("downstream") },
          { word: "Select connected", keys: "Alt+S C", act: reach("connected") },
        ]
      : []),
    { word: "Select all", keys: withControl("A"), act: all },
    { word: "Fold or show palette", keys: "[", act: () => fold("palette") },
    { word: "Fold or show inspector", keys: "]", act: () => fold("inspector") },
    { word: "Open problems", act: () => openDrawer("problems") },
    { word: "Open trial", keys: withControl("Enter"), act: () => openDrawer("trial") },
    { word: "Open test cases", act: () => openDrawer("cases") },
    { word: "Open metrics", act: () => openDrawer("metrics") },
    { word: "Open records", act: () => openDrawer("records") },
    { word: "Open tables", act: () => openDrawer("tables") },
    { word: "Open dead letters", act: () => openDrawer("letters") },
    { word: "Open log", act: () => openDrawer("log") },
    { word: "Light theme", act: () => applyTheme("light") },
    { word: "Dark theme", act: () => applyTheme("dark") },
    { word: "System theme", act: () => applyTheme("system") },
    { word: "Keyboard shortcuts", keys: "?", act: () => openPanel("shortcuts") },
  ];
  if (isReadOnly) return looks;
  return [
    { word: "Add a node", keys: "Tab", act: addNode },
    { word: "Duplicate", keys: withControl("D"), act: () => duplicateSelection({ store, ui }) },
    { word: "Tidy", act: () => void tidy() },
    { word: "Add a note", keys: "N", act: () => addNoteAt() },
    ...(isAny ? [{ word: "Frame the selection", keys: withControl("G"), act: frameSelection }] : []),
    ...(isAny ? COLOURS.map((colour) => ({ word: `Colour ${colour}`, act: () => setSelectionColour(colour) })) : []),
    ...(isAny ? [{ word: "No colour", act: () => setSelectionColour(null) }] : []),
    ...listBypassCommands(editing),
    ...listArrangements(editing),
    { word: "Undo", keys: withControl("Z"), act: undo },
    { word: "Redo", keys: withControl("Z", true), act: redo },
    { word: "Save now", keys: withControl("S"), act: () => void autosave.flush() },
    ...looks,
  ];
}

/** Empty if nothing selected can be bypassed. */
export function listBypassCommands(editing: Editing): readonly Command[] {
  const { ids, areBypassed } = findBypassable(editing);
  const word = areBypassed ? "Use again" : "Bypass";
  return ids.size === 0 ? [] : [{ word, keys: "B", act: () => toggleBypass(editing) }];
}
