import { useDocument } from "../../../../editor/interface/useEditor";
import { describeSaving, explainSaving } from "./savingText";

/** Whether the draft is on the server. Read aloud only if it is not: every edit is saved. */
export function SavedWord() {
  const saving = useDocument((editor) => editor.saving);
  const isTrouble = saving.word === "failed" || saving.word === "conflict";
  return (
    <span
      className={`saving-word ${saving.word}`}
      role="status"
      aria-live={isTrouble ? "polite" : "off"}
      aria-label="Saved state"
      title={explainSaving(saving)}
    >
      {describeSaving(saving)}
    </span>
  );
}
