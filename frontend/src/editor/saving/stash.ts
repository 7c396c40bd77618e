/** Changes that the server does not have yet, kept by this browser: a closed tab or a crash loses no edit. */
import type { Document } from "../document/document";

interface Stash {
  readonly revision: number;
  readonly document: Document;
}

export function saveStash(topology: number, revision: number, document: Document): void {
  try {
    localStorage.setItem(nameOf(topology), JSON.stringify({ revision, document }));
  } catch {
    // full or forbidden: only the leave guard remains
  }
}

export function readStash(topology: number): Stash | null {
  try {
    return JSON.parse(localStorage.getItem(nameOf(topology)) ?? "null") as Stash | null;
  } catch {
    return null;
  }
}

export function deleteStash(topology: number): void {
  try {
    localStorage.removeItem(nameOf(topology));
  } catch {
    // storage kept nothing either
  }
}

function nameOf(topology: number): string {
  return `streamwright:draft:${topology}`;
}
