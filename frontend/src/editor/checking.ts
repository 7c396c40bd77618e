/** Asks the server what is wrong with the drawing, a moment after every edit; only the newest answer counts. */
import { checkDrawn } from "../api/calls";
import type { EditorStore } from "./store";

const PAUSE_MS = 200;
const AGAIN_MS = 3_000;

/** Checks until the returned function is called. */
export function keepChecked(editor: EditorStore): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const soon = (ms: number) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void check(), ms);
  };
  const check = async () => {
    const { document } = editor.getState();
    try {
      const checked = await checkDrawn(document);
      if (document === editor.getState().document) editor.getState().checkedAs(checked);
    } catch {
      soon(AGAIN_MS); // the web is away: the marks stay as they are until it answers
    }
  };
  const unsubscribe = editor.subscribe((state, before) => {
    if (state.document !== before.document) soon(PAUSE_MS);
  });
  void check();
  return () => {
    stopped = true;
    clearTimeout(timer);
    unsubscribe();
  };
}
