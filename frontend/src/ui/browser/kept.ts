/** What this browser keeps of a topology for its user. The next user of the same browser does not meet it. */
import { findUser } from "../../api/rights";

/** Unsaved edits, the user's own records of trials, and values pinned to nodes. */
export type Kept = "draft" | "trial" | "pins";

/** The kept text, or null if there is none. */
export function readKept(kept: Kept, topology: number): string | null {
  try {
    takeOver(kept, topology);
    return localStorage.getItem(nameOf(kept, topology));
  } catch {
    return null; // the browser allows no storage
  }
}

/** Keeps a text instead of the one before, or none. If the browser does not allow it, it lasts as long as the page. */
export function keep(kept: Kept, topology: number, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(nameOf(kept, topology));
    else localStorage.setItem(nameOf(kept, topology), text);
  } catch {
    // storage is full or forbidden
  }
}

/** Version 0.1.0 named no user. An edit must not be lost, so the next user who opens the topology gets its text. */
function takeOver(kept: Kept, topology: number): void {
  const nobodys = `streamwright:${kept}:${topology}`;
  const text = localStorage.getItem(nobodys);
  if (text === null) return;
  if (localStorage.getItem(nameOf(kept, topology)) === null) keep(kept, topology, text);
  localStorage.removeItem(nobodys);
}

function nameOf(kept: Kept, topology: number): string {
  return `streamwright:${kept}:${topology}:${findUser()}`;
}
