/** Follows what other users and tabs do with a draft: they save it, delete its topology, or save at the same moment. */
import { fetchDraft } from "../../api/calls";
import { onReturn } from "../../api/reach";
import { toRefusal } from "../../api/refusal";
import type { Draft } from "../../api/types";
import { areSame } from "../document/areSame";
import type { Document, Edit } from "../document/document";
import type { Conflict, DocumentStore } from "../document/documentStore";
import type { Operators } from "../graph/ports";
import { findLastSave, type Autosave } from "../saving/saving";
import { writeStash } from "../saving/stash";
import { merge, mergeDocuments } from "./merge";

export type News = "adopted" | "deleted";
type Read = Pick<Draft, "revision" | "graph" | "schemas">;
type Ask = (topology: number) => Promise<Read>;

/** An editor that follows a draft. */
export interface Follower {
  readonly store: DocumentStore;
  readonly autosave: Autosave;
  readonly operators: Operators;
  readonly ask?: Ask;
}

/** Adopts a newer draft while nothing here is unsaved, below the steps of this user. Retries a failed save. */
export async function look({ store, autosave, operators, ask = fetchDraft }: Follower): Promise<News | null> {
  const before = store.getState();
  if (before.saving.word === "failed") void autosave.flush();
  if (before.saving.word !== "saved") return null;
  try {
    const draft = await ask(before.topology);
    const now = store.getState();
    if (now.document !== before.document || now.saving.word !== "saved") return null;
    if (draft.revision <= now.revision) return null;
    const theirs = keepSame(now.document, draft);
    now.rebase(draft, theirs, bring(now.document.graph, theirs, operators));
    autosave.markClean();
    return "adopted";
  } catch (error) {
    return toRefusal(error).status === 404 ? "deleted" : null; // the next save reports other problems
  }
}

/** Whether both sides of a conflict can stay: no part of the graph was changed by both. */
export function isMergeable({ base, theirs }: Conflict, mine: Document, operators: Operators): boolean {
  return base !== null && merge(base, mine.graph, theirs, operators).clashes.length === 0;
}

/** Merges what another user saved at the same moment. False if both changed the same, or the server does not answer. */
export async function settle(follower: Follower, conflict: Conflict): Promise<boolean> {
  const { store, autosave, operators, ask = fetchDraft } = follower;
  const { base } = conflict;
  const draft = await ask(store.getState().topology).catch(() => null);
  const { document: mine, saving } = store.getState();
  if (draft === null || base === null || saving.word !== "conflict") return false;
  if (!isMergeable({ ...conflict, theirs: draft.graph }, mine, operators)) return false;
  const theirs = keepSame(mine, draft);
  autosave.rebase(draft, theirs, bring(base, theirs, operators));
  return true;
}

/** The edit that brings their changes of `base` into a document. */
function bring(base: Document["graph"], theirs: Document, operators: Operators): Edit {
  return (mine) => {
    return mergeDocuments(base, mine, theirs, operators);
  };
}

/** Their document with our nodes where they are the same: those are not drawn again, and merged at once. */
function keepSame(ours: Document, { graph, schemas }: Read): Document {
  const byId = new Map(ours.graph.nodes.map((node) => [node.id, node]));
  const nodes = graph.nodes.map((node) => {
    const here = byId.get(node.id);
    return here !== undefined && areSame(here, node) ? here : node;
  });
  return { graph: { ...graph, nodes }, schemas };
}

/** Looks whenever the tab, the network or the server returns, until the returned function is called. */
export function keepPresent(follower: Follower, tell: (news: News) => void): () => void {
  const again = () => {
    if (document.hidden) return;
    void look(follower).then((news) => {
      if (news !== null) tell(news);
    });
  };
  void findLastSave(follower.store.getState().topology)?.then(again); // opened while a closed editor was still saving
  document.addEventListener("visibilitychange", again);
  const stop = onReturn(again);
  return () => {
    document.removeEventListener("visibilitychange", again);
    stop();
  };
}

/** Adopts each revision that `hear` is told of, as soon as nothing here is unsaved, until `stop` is called. */
export function followDraft(follower: Follower) {
  const { store } = follower;
  let newest = 0;
  let isLooking = false;
  const catchUp = () => {
    const { saving, revision } = store.getState();
    if (isLooking || revision >= newest || saving.word !== "saved") return;
    isLooking = true;
    void look(follower).then((news) => {
      isLooking = false;
      if (news === "adopted") catchUp(); // meanwhile there may be a still newer one
    });
  };
  return {
    hear: (revision: number) => {
      newest = Math.max(newest, revision);
      catchUp();
    },
    stop: store.subscribe(catchUp),
  };
}

/** The browser keeps unsaved changes, and asks before it closes their tab, until the returned function is called. */
export function guardLeaving(store: DocumentStore): () => void {
  const leaving = (event: BeforeUnloadEvent) => {
    if (store.getState().saving.word !== "saved") event.preventDefault();
  };
  window.addEventListener("beforeunload", leaving);
  window.addEventListener("pagehide", writeStash);
  return () => {
    window.removeEventListener("beforeunload", leaving);
    window.removeEventListener("pagehide", writeStash);
  };
}
