/** Asks the server what is wrong with the graph, a moment after every edit; only the newest answer counts. */
import { checkDocument } from "../../api/calls";
import { keepAsking } from "./asking";
import type { DocumentStore } from "../document/documentStore";

const PAUSE_MS = 200;
const AGAIN_MS = 3_000;

/** Checks until the returned function is called. */
export function keepChecking(editor: DocumentStore): () => void {
  return keepAsking(editor, {
    about: (document) => document,
    pauseMs: PAUSE_MS,
    ask: async (document, isCurrent) => {
      try {
        const result = await checkDocument(document);
        if (isCurrent()) editor.getState().setCheckResult(result);
        return null;
      } catch {
        return AGAIN_MS; // the web is away: the marks stay as they are until it answers
      }
    },
  });
}
