import { useDocument } from "../editor/useEditor";
import { savedTitle, savedWord } from "./saved";

/** Whether what is drawn lies on the server. */
export function SavedWord() {
  const saving = useDocument((editor) => editor.saving);
  return (
    <span className={`saved ${saving.word}`} role="status" aria-label="Saved state" title={savedTitle(saving)}>
      {savedWord(saving)}
    </span>
  );
}
