/** Asks the server what is wrong with the graph, a moment after every edit; only the newest answer counts. */
import { checkDrawn } from "../../api/calls";
import { keepAsking } from "./asking";
import type { DocumentStore } from "../document/documentStore";

const PAUSE_MS = 200;
const AGAIN_MS = 3_000;

/** Checks until the returned function is called. */
export function keepChecked(editor: DocumentStore): () => void {
  return keepAsking(editor, {
    about: (document) => document,
    pauseMs: PAUSE_MS,
    ask: async (document, isCurrent) => {
      try {
        const checked = await checkDrawn(document);
        if (isCurrent()) editor.getState().checkedAs(checked);
        return null;
      } catch {
        return AGAIN_MS; // the web is away: the marks stay as they are until it answers
      }
    },
  });
}
