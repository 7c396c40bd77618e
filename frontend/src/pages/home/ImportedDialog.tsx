import type { ImportResult } from "../../api/types";
import { hrefs } from "../../routing/route";
import { openPath } from "../../routing/usePath";
import { Button } from "../../parts/controls/Button";
import { Dialog } from "../../parts/messages/Dialog";
import { DESCRIBED, OpenNotice } from "../../parts/messages/Notice";

interface Props {
  readonly result: ImportResult;
  readonly close: () => void;
}

/** The open questions of an imported description, and a link to its graph. */
export function ImportedDialog({ result, close }: Props) {
  const action = (
    <Button look="primary" onClick={() => openPath(hrefs.editor(result.id))}>
      Open it
    </Button>
  );
  return (
    <Dialog title="The topology is imported" close={close} action={action} leave="Later">
      <OpenNotice title={DESCRIBED} notes={result.notes} />
    </Dialog>
  );
}
