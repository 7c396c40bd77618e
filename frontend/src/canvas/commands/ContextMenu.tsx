import type { Position } from "../../editor/document/document";
import { isNote } from "../../editor/edits/notes";
import { removeSelection } from "../../editor/edits/removing";
import { useEditing } from "../../editor/interface/useEditor";
import { withControl } from "../../ui/browser/keys";
import { MenuList, type MenuItem } from "../../ui/controls/MenuList";
import { listArrangements } from "../../editor/edits/arranging";
import { WHY, askWhy, givesNothing } from "../../inspector/facts/asking";
import { useLive } from "../../live/LiveContext";
import { duplicateSelection } from "../moving/copying";
import { focusNode } from "../flow/focus";
import { renameInPlace } from "../flow/panels";
import { measureCanvas } from "../flow/room";
import { listBypassCommands, useCommands } from "./useCommands";
import type { Menu } from "./useContextMenu";
import { useNotes } from "./useNotes";

/** How large a menu becomes, in pixels. */
const SIZE = { width: 260, height: 300 };
const OF_CANVAS = ["Select all", "See all", "Tidy"];
const NAMES = { nodes: "Menu of the selection", edge: "Menu of the edge", canvas: "Menu of the canvas" };

interface Props {
  readonly menu: Menu;
  readonly close: () => void;
  readonly addHere: (screen: Position) => void;
  readonly addAtSelection: () => void;
}

/** Commands for the target of the press. */
export function ContextMenu({ menu: { of, screen }, close, addHere, addAtSelection }: Props) {
  const editing = useEditing();
  const { store, ui } = editing;
  const commands = useCommands(false, addAtSelection);
  const { addNoteAt, frameSelection } = useNotes();
  const [only, ...others] = ui.getState().selection.nodes;
  const remove = () => removeSelection(editing);
  const removal: MenuItem = { word: "Delete", keys: "Delete", isDanger: true, isFirstOfGroup: true, act: remove };
  const isOne = only !== undefined && others.length === 0;
  const isDry = useLive(({ state }) => others.length === 0 && givesNothing(state, only));
  const isOnlyNote = isOne && isNote(only);
  const isOfNodes = [...ui.getState().selection.nodes].some((id) => !isNote(id));
  const items: Readonly<Record<Menu["of"], readonly MenuItem[]>> = {
    nodes: [
      ...(isOfNodes ? [{ word: "Add behind", keys: "Tab", act: addAtSelection }] : []),
      ...(isOne ? [{ word: isOnlyNote ? "Write" : "Rename", keys: "F2", act: () => renameInPlace(only) }] : []),
      ...(isOnlyNote ? [] : [{ word: "Frame the selection", keys: withControl("G"), act: frameSelection }]),
      { word: "Duplicate", keys: withControl("D"), act: () => duplicateSelection({ store, ui }) },
      ...listBypassCommands(editing),
      ...(isDry && isOne ? [{ word: WHY, act: () => askWhy(only) }] : []),
      ...listArrangements(editing).map((one, index) => ({ ...one, isFirstOfGroup: index === 0 })),
      removal,
    ],
    edge: [{ word: "Insert a node", keys: "Tab", act: addAtSelection }, removal],
    canvas: [
      { word: "Add a node here", act: () => addHere(screen) },
      { word: "Add a note here", act: () => addNoteAt(screen) },
      ...commands.filter(({ word }) => OF_CANVAS.includes(word)),
    ],
  };
  const leave = (isAnswered: boolean) => {
    close();
    if (isAnswered && isOne) focusNode(only);
  };
  return (
    <div>
      <MenuList name={NAMES[of]} items={items[of]} close={leave} style={findPlace(screen)} />
    </div>
  );
}

/** A place that shows the whole menu. */
function findPlace({ x, y }: Position): { readonly left: number; readonly top: number } {
  const box = measureCanvas();
  return {
    left: Math.max(0, Math.min(x - box.x, box.width - SIZE.width)),
    top: Math.max(0, Math.min(y - box.y, box.height - SIZE.height)),
  };
}
