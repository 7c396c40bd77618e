import { Mark } from "../../app/Mark";
import { ImportButton } from "./ImportButton";

/** What the home page says before the first topology is there: the next step. */
export function EmptyHome({ imported }: { readonly imported: () => void }) {
  return (
    <div className="empty">
      <Mark />
      <h2>There is no topology yet</h2>
      <p>
        Import one that was exported as JSON, or let <code>manage.py deploy-sample</code> bring the sample.
      </p>
      <ImportButton look="primary" imported={imported} />
    </div>
  );
}
