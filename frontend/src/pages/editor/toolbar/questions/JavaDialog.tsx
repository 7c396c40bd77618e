import type { Note } from "../../../../api/types";
import { Dialog } from "../../../../ui/messages/Dialog";
import { OpenNotice } from "../../../../ui/messages/Notice";

interface Props {
  readonly notes: readonly Note[];
  readonly close: () => void;
}

/** The parts that a Java export leaves out. */
export function JavaDialog({ notes, close }: Props) {
  return (
    <Dialog title="The project was exported" close={close}>
      <OpenNotice title="The project is incomplete. Its README names these nodes, too:" notes={notes} />
    </Dialog>
  );
}
