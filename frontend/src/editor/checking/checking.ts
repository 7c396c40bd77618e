/** Asks the server to check the graph shortly after every edit. Only the newest answer counts. */
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
        if (isCurrent()) editor.getState().setCheckResult(result, document);
        return null;
      } catch {
        return AGAIN_MS; // the server is unreachable: the marks stay until it answers
      }
    },
  });
}
