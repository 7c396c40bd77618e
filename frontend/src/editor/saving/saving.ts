/** Saves a draft soon after an edit, one save at a time, until the server has it. */
import { saveDraft } from "../../api/calls";
import { Refusal, toRefusal } from "../../api/refusal";
import type { Draft } from "../../api/types";
import { computeBackoff } from "../../live/backoff";
import type { Document, Edit } from "../document/document";
import { areSame } from "../document/areSame";
import type { Conflict, DocumentStore } from "../document/documentStore";
import { deleteStash, saveStash } from "./stash";

const PAUSE_MS = 500;

type Save = (topology: number, revision: number, document: Document) => Promise<Pick<Draft, "revision">>;

/** The last saves of closed editors, by topology. Some are still running. */
const leaving = new Map<number, Promise<unknown>>();

/** Settles when the last editor of a topology has saved its changes. Undefined if it had none. */
export function findLastSave(topology: number): Promise<unknown> | undefined {
  return leaving.get(topology);
}

/** Keeps the editor's document saved until it is closed. */
export class Autosave {
  private isClosed = false;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isBusy = false;
  private attempt = 0;
  private savedDocument: Document;
  /** A document that the server may have, because its answer got lost. Null: the server has the saved one. */
  private sentDocument: Document | null = null;
  private unsubscribe: () => void = () => undefined;

  /** The editor's present document is the server's. */
  constructor(
    private readonly editor: DocumentStore,
    private readonly save: Save = saveDraft,
  ) {
    this.savedDocument = editor.getState().document;
  }

  open(): void {
    this.isClosed = false;
    this.unsubscribe = this.editor.subscribe((state, before) => {
      if (state.document !== before.document) this.noteChange();
    });
    if (this.isBehind()) this.noteChange();
  }

  /** Saves unsaved changes at once. True when the server has everything. */
  async flush(): Promise<boolean> {
    while (this.isBehind() && (this.isBusy || (await this.saveOnce()))) {
      if (this.isBusy) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return !this.isBehind();
  }

  /** The present document is on the server, because it was adopted. */
  markClean(): void {
    this.savedDocument = this.editor.getState().document;
    this.sentDocument = null;
    deleteStash(this.editor.getState().topology);
    this.editor.getState().setSaving({ word: "saved" });
  }

  /** Ends a conflict: `choice` puts this document on top of theirs. Undo leads to theirs, then to ours. */
  resolve(draft: Pick<Draft, "revision">, theirs: Document, choice: Document): void {
    const { adopt, edit } = this.editor.getState();
    adopt(draft, theirs);
    this.markClean();
    edit(() => choice);
  }

  /** Ends a conflict: `change` brings what they saved into this document and its steps. Undo leads to ours alone. */
  rebase(draft: Pick<Draft, "revision">, theirs: Document, change: Edit): void {
    const { document, rebase, setSaving } = this.editor.getState();
    this.savedDocument = theirs;
    this.sentDocument = null;
    setSaving({ word: "unsaved" });
    rebase(draft, change(document), change);
  }

  /** No more edits follow. Sends unsaved changes. The stash keeps them if that fails. */
  close(): void {
    this.isClosed = true;
    this.unsubscribe();
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.isBehind()) leaving.set(this.editor.getState().topology, this.flush());
  }

  private isBehind(): boolean {
    return this.sentDocument !== null || this.editor.getState().document !== this.savedDocument;
  }

  private noteChange(): void {
    const { topology, revision, document, saving } = this.editor.getState();
    if (!this.isBusy && !this.isBehind() && saving.word !== "conflict") {
      this.markClean(); // undone or redone before it was saved
      return;
    }
    saveStash(topology, revision, document);
    if (saving.word !== "conflict") this.soon(PAUSE_MS);
  }

  private soon(ms: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.isClosed) return; // the stash keeps it for the next editor: two must not save in turns
    this.timer = setTimeout(() => void this.saveOnce(), ms);
  }

  /** One save of the present document. False if it failed. */
  private async saveOnce(): Promise<boolean> {
    if (this.isBusy || !this.isBehind()) return !this.isBehind();
    const { topology, revision, document, saving, setSaving } = this.editor.getState();
    if (saving.word === "conflict") return false;
    this.isBusy = true;
    setSaving({ word: "saving" });
    const answer = await this.save(topology, revision, document).catch(toRefusal);
    this.isBusy = false;
    if (answer instanceof Refusal) return this.handleRefusal(answer, document);
    this.attempt = 0;
    this.noteSave(document, answer.revision);
    return true;
  }

  private noteSave(document: Document, revision: number): void {
    this.savedDocument = document;
    this.sentDocument = null;
    const { topology, setSaving, document: now } = this.editor.getState();
    if (this.isBehind()) saveStash(topology, revision, now);
    else deleteStash(topology);
    setSaving({ word: this.isBehind() ? "unsaved" : "saved" }, revision);
    if (this.isBehind()) this.soon(PAUSE_MS);
  }

  /** True if another save may follow at once. */
  private handleRefusal(refusal: Refusal, document: Document): boolean {
    const { setSaving } = this.editor.getState();
    const conflict = readConflict(refusal);
    if (conflict !== null) return this.wasOurs(conflict, document) || this.conflicts(conflict);
    setSaving({ word: "failed", refusal });
    const isTemporary = refusal.status === 0 || refusal.status >= 500;
    if (isTemporary) {
      this.sentDocument = document;
      this.soon(computeBackoff(this.attempt));
    } else if (document !== this.editor.getState().document) this.noteChange(); // it may have been corrected meanwhile
    this.attempt += 1;
    return false;
  }

  /** The save of "someone" may be the page's own before its connection broke: continue from there. */
  private wasOurs(conflict: Conflict, document: Document): boolean {
    const isTheirs = (candidate: Document | null) => candidate !== null && areSame(candidate.graph, conflict.theirs);
    if (!isTheirs(document) && !isTheirs(this.sentDocument)) return false;
    this.editor.getState().setSaving({ word: "unsaved" }, conflict.revision);
    this.soon(0);
    return true;
  }

  private conflicts(conflict: Conflict): false {
    this.editor.getState().setSaving({ word: "conflict", conflict });
    return false;
  }
}

function readConflict({ code, message, details }: Refusal): Conflict | null {
  const { revision, base = null, theirs } = details;
  if (code !== "conflict" || revision === undefined || theirs === undefined) return null;
  return { message, revision, base, theirs };
}
