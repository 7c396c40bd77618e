/** Asks the cluster which topics of the drawing are missing: a moment after an edit, and again while some are. */
import { topicIssuesOf } from "../api/calls";
import type { EditorStore } from "./store";

const PAUSE_MS = 400;
const AGAIN_MS = 5_000;

/** Checks against that cluster until the returned function is called. */
export function keepTopicsChecked(editor: EditorStore, cluster: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const soon = (ms: number) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void check(), ms);
  };
  const check = async () => {
    const { document } = editor.getState();
    try {
      const issues = await topicIssuesOf(cluster, document);
      if (stopped || document.graph !== editor.getState().document.graph) return;
      editor.getState().topicsCheckedAs(issues);
      if (issues.length > 0) soon(AGAIN_MS); // somebody may create the topic
    } catch {
      if (!stopped) editor.getState().topicsCheckedAs([]); // a cluster that does not answer says nothing of topics
      soon(AGAIN_MS);
    }
  };
  const unsubscribe = editor.subscribe((state, before) => {
    if (state.document.graph !== before.document.graph) soon(PAUSE_MS);
  });
  void check();
  return () => {
    stopped = true;
    clearTimeout(timer);
    unsubscribe();
  };
}
