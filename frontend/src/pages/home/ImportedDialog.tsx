import type { ImportResult } from "../../api/types";
import { hrefs } from "../../ui/routing/route";
import { openPath } from "../../ui/routing/usePath";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import { DESCRIBED, OpenNotice } from "../../ui/messages/Notice";

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
