import type { Imported } from "../../api/types";
import { Mark } from "../../parts/Mark";
import { ImportButton } from "./ImportButton";
import { NewButton } from "./NewButton";

/** What the home page says before the first topology is there: the next step. */
export function EmptyHome({ imported }: { readonly imported: (made: Imported) => void }) {
  return (
    <div className="empty">
      <Mark />
      <h2>There is no topology yet</h2>
      <p>Begin with a topic of yours, or import a topology that was exported, or what Kafka Streams describes.</p>
      <div className="beginnings">
        <ImportButton imported={imported} />
        <NewButton />
      </div>
    </div>
  );
}
