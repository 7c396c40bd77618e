import { Notice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import type { Connection } from "../../live/line";
import type { Note } from "./notes";

interface Props {
  readonly connection: Connection;
  readonly note: Note | null;
}

/** Why no records arrive: the connection is lost, or the server waits for something. */
export function FeedNotices({ connection, note }: Props) {
  return (
    <>
      {connection === "lost" && (
        <Notice tone="warn" title="The connection to the server is lost.">
          <p>Trying again. Until then, the last known state is shown.</p>
        </Notice>
      )}
      {connection === "gone" && (
        <Notice tone="warn" title="These records are no longer available.">
          <p>The topic or job was deleted, or the server is older than this page.</p>
        </Notice>
      )}
      {note !== null && connection !== "gone" && (
        <Notice tone={note.isLoud ? "warn" : "info"} title={note.message}>
          {note.hint !== "" && (
            <p>
              <Prose text={note.hint} />
            </p>
          )}
        </Notice>
      )}
    </>
  );
}
