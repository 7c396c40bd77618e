import { Button } from "../../ui/controls/Button";
import { Notice } from "../../ui/messages/Notice";

/** Replaces a screen if its code could not be loaded. */
export function LoadFailure() {
  const reload = (
    <Button icon="restart" onClick={() => window.location.reload()}>
      Reload
    </Button>
  );
  return (
    <Notice tone="bad" title="This page could not be loaded." action={reload}>
      <p>The server may be down or newly updated. Reload the page.</p>
    </Notice>
  );
}
