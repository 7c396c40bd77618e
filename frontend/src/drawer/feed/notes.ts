/** Reasons why a feed sends nothing. */
import type { FeedMessage } from "../../api/feed";

/** A wait ends by itself. A refusal (loud) needs someone to fix it. */
export interface Note {
  readonly isLoud: boolean;
  readonly message: string;
  readonly hint: string;
}

/** The note for an empty feed. A wait after a refusal says less than the refusal. */
export function applyNoteMessage(note: Note | null, message: FeedMessage): Note | null {
  if (message.type === "refused") return { isLoud: true, message: message.message, hint: message.hint };
  if (message.type !== "waiting" || note?.isLoud) return note;
  return { isLoud: false, message: message.message, hint: "" };
}
