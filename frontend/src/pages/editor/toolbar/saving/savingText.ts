import type { Saving } from "../../../../editor/document/documentStore";

/** Whether the server has the draft, or why it has not. */
export function describeSaving(saving: Saving): string {
  switch (saving.word) {
    case "saved":
      return "Saved";
    case "unsaved":
      return "Unsaved";
    case "saving":
      return "Saving …";
    case "failed":
      return `Not saved: ${saving.refusal.message}`;
    case "conflict":
      return "Conflict";
  }
}

/** The tooltip of the word. */
export function explainSaving(saving: Saving): string {
  switch (saving.word) {
    case "saved":
      return "The server has all changes.";
    case "failed":
      return `${saving.refusal.message} ${saving.refusal.hint} ${KEPT}`;
    case "conflict":
      return `${saving.conflict.message} ${KEPT}`;
    default:
      return KEPT;
  }
}

const KEPT = "Your changes are kept in this browser.";
