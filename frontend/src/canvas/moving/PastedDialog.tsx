import type { Refusal } from "../../api/refusal";
import type { Note } from "../../api/types";
import { Dialog } from "../../ui/messages/Dialog";
import { DESCRIBED, OpenNotice, RefusalNotice } from "../../ui/messages/Notice";

/** The result of a pasted description: why it was not drawn, or its open questions. */
export type Outcome = { readonly refusal: Refusal } | { readonly notes: readonly Note[] };

interface Props {
  readonly outcome: Outcome;
  readonly close: () => void;
}

export function PastedDialog({ outcome, close }: Props) {
  return "refusal" in outcome ? (
    <Dialog title="The description could not be imported" close={close}>
      <RefusalNotice refusal={outcome.refusal} />
    </Dialog>
  ) : (
    <Dialog title="The description was imported" close={close}>
      <OpenNotice title={DESCRIBED} notes={outcome.notes} />
    </Dialog>
  );
}
