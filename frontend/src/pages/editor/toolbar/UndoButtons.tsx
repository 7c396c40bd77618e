import { useDocument, useDocumentActions, useInterface } from "../../../editor/interface/useEditor";
import { Icon } from "../../../ui/icons/Icon";
import { IconButton } from "./parts/IconButton";
import { withControl } from "../../../ui/browser/keys";

/** Moves back and forth through the history. */
export function UndoButtons() {
  const { undo, redo } = useDocumentActions();
  const isDraft = useInterface(({ view }) => view === "draft");
  const canUndo = useDocument(({ history }) => history.past.length > 0) && isDraft;
  const canRedo = useDocument(({ history }) => history.future.length > 0) && isDraft;
  return (
    <div className="undo">
      <IconButton name="Undo" title={`Undo (${withControl("Z")})`} disabled={!canUndo} onClick={undo}>
        <Icon name="undo" />
      </IconButton>
      <IconButton name="Redo" title={`Redo (${withControl("Z", true)})`} disabled={!canRedo} onClick={redo}>
        <Icon name="redo" />
      </IconButton>
    </div>
  );
}
