/** Requests about the graph that repeat shortly after it changes. */
import type { Document } from "../document/document";
import type { DocumentStore } from "../document/documentStore";

interface Question {
  /** The part of the document that the answer depends on. */
  readonly about: (document: Document) => unknown;
  readonly pauseMs: number;
  /** Asks, and returns the ms until the next request without a change. `isCurrent`: nothing has changed since. */
  readonly ask: (document: Document, isCurrent: () => boolean) => Promise<number | null>;
}

/** Asks until the returned function is called. */
export function keepAsking(editor: DocumentStore, { about, pauseMs, ask }: Question): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const soon = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void now(), ms);
  };
  const now = async () => {
    const { document } = editor.getState();
    const subject = about(document);
    const isCurrent = () => !isStopped && about(editor.getState().document) === subject;
    const again = await ask(document, isCurrent);
    if (again !== null && isCurrent()) soon(again);
  };
  const unsubscribe = editor.subscribe((state, before) => {
    if (state.document !== before.document && about(state.document) !== about(before.document)) soon(pauseMs);
  });
  void now();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    unsubscribe();
  };
}
