import type { ImportResult } from "../../api/types";
import { Mark } from "../../ui/icons/Mark";
import { ImportButton } from "./ImportButton";
import { NewButton } from "./NewButton";

/** The home page without topologies: the next step. */
export function EmptyHome({ onImport }: { readonly onImport: (result: ImportResult) => void }) {
  return (
    <div className="empty">
      <Mark />
      <h2>No topologies yet</h2>
      <p>Start with one of your topics. Or import an exported topology, or a Kafka Streams description.</p>
      <div className="beginnings">
        <ImportButton onImport={onImport} />
        <NewButton />
      </div>
    </div>
  );
}
