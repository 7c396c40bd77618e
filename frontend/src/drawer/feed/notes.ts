/** Why nothing comes from a feed. */
import type { FeedMessage } from "../../api/feed";

/** A wait ends by itself, a refusal (loud) is someone's to fix. */
export interface Note {
  readonly isLoud: boolean;
  readonly message: string;
  readonly hint: string;
}

/** What to say while nothing comes: a wait behind a refusal says less than the refusal does. */
export function applyNoteMessage(note: Note | null, message: FeedMessage): Note | null {
  if (message.type === "refused") return { isLoud: true, message: message.message, hint: message.hint };
  if (message.type !== "waiting" || note?.isLoud) return note;
  return { isLoud: false, message: message.message, hint: "" };
}
