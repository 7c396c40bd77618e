/** Changes that the server does not have yet, which this browser keeps for the user: a closed tab loses no edit. */
import { keep, readKept } from "../../ui/browser/kept";
import type { Document } from "../document/document";

interface Stash {
  readonly revision: number;
  readonly document: Document;
}

interface Pending extends Stash {
  readonly topology: number;
}

/** A key that is pressed paints first: a large document takes milliseconds to write. */
const PAUSE_MS = 100;

let pending: Pending | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Keeps the document, soon or when the page closes. */
export function saveStash(topology: number, revision: number, document: Document): void {
  if (pending !== null && pending.topology !== topology) writeStash();
  pending = { topology, revision, document };
  timer ??= setTimeout(writeStash, PAUSE_MS);
}

export function readStash(topology: number): Stash | null {
  writeStash();
  try {
    return JSON.parse(readKept("draft", topology) ?? "null") as Stash | null;
  } catch {
    return null;
  }
}

export function deleteStash(topology: number): void {
  if (pending?.topology === topology) pending = null;
  keep("draft", topology, null);
}

/** Writes what waits for it. */
export function writeStash(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  if (pending === null) return;
  const { topology, revision, document } = pending;
  pending = null;
  keep("draft", topology, JSON.stringify({ revision, document }));
}
