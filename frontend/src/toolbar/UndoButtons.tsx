import { useActions, useEditor } from "../editor/useEditor";
import { Icon } from "../parts/Icon";
import { IconButton } from "./IconButton";
import { withControl } from "./keys";

/** Step back and forth through what was drawn. */
export function UndoButtons() {
  const { undo, redo } = useActions();
  const isDraft = useEditor(({ view }) => view === "draft");
  const canUndo = useEditor(({ history }) => history.past.length > 0) && isDraft;
  const canRedo = useEditor(({ history }) => history.future.length > 0) && isDraft;
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
