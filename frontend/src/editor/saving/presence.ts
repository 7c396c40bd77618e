/** Handles events of a draft while its tab is hidden: another tab saves, a network returns, a topology is deleted. */
import { fetchDraft } from "../../api/calls";
import { toRefusal } from "../../api/refusal";
import type { Draft } from "../../api/types";
import { findLastSave, type Autosave } from "./saving";
import type { DocumentStore } from "../document/documentStore";

export type News = "adopted" | "deleted";
type Ask = (topology: number) => Promise<Pick<Draft, "revision" | "graph" | "schemas">>;

/** Adopts a newer draft while nothing here is unsaved. Retries a failed save. */
export async function look(store: DocumentStore, autosave: Autosave, ask: Ask = fetchDraft): Promise<News | null> {
  const before = store.getState();
  if (before.saving.word === "failed") void autosave.flush();
  if (before.saving.word !== "saved") return null;
  try {
    const draft = await ask(before.topology);
    const now = store.getState();
    if (now.document !== before.document || now.saving.word !== "saved") return null;
    if (draft.revision <= now.revision) return null;
    // after our own steps it is one more: Undo must not lead past the other user's save
    const isUntouched = now.history.past.length + now.history.future.length === 0;
    now.adopt(draft, { graph: draft.graph, schemas: draft.schemas }, isUntouched);
    autosave.markClean();
    return "adopted";
  } catch (error) {
    return toRefusal(error).status === 404 ? "deleted" : null; // the next save reports other problems
  }
}

/** Looks whenever the tab or the network returns, until the returned function is called. */
export function keepPresent(store: DocumentStore, autosave: Autosave, hear: (news: News) => void): () => void {
  const again = () => {
    if (document.hidden) return;
    void look(store, autosave).then((news) => {
      if (news !== null) hear(news);
    });
  };
  void findLastSave(store.getState().topology)?.then(again); // opened while a closed editor was still saving
  document.addEventListener("visibilitychange", again);
  window.addEventListener("online", again);
  return () => {
    document.removeEventListener("visibilitychange", again);
    window.removeEventListener("online", again);
  };
}

/** The browser asks before it closes a tab with unsaved changes, until the returned function is called. */
export function guardLeaving(store: DocumentStore): () => void {
  const leaving = (event: BeforeUnloadEvent) => {
    if (store.getState().saving.word !== "saved") event.preventDefault();
  };
  window.addEventListener("beforeunload", leaving);
  return () => window.removeEventListener("beforeunload", leaving);
}
