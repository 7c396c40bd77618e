import { useCallback, useMemo, useState } from "react";
import { listJobs, listTopologies } from "../../api/calls";
import type { ImportResult } from "../../api/types";
import { hrefs } from "../../ui/routing/route";
import { openPath } from "../../ui/routing/usePath";
import { useOperators } from "../../api/useOperators";
import { useResource } from "../../api/useResource";
import { useTitle } from "../../ui/routing/useTitle";
import { usePolling } from "../../api/usePolling";
import { formatAmount } from "../../ui/text/format";
import { Chips } from "../../ui/controls/Chips";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Skeleton } from "../../ui/display/Skeleton";
import { Search } from "../../ui/controls/Search";
import { countCards, filterCards, FILTERS, listCards, type Filter } from "./cards";
import { Examples } from "./Examples";
import { ImportButton } from "./ImportButton";
import { NewButton } from "./NewDialog";
import { TopologyCard } from "./TopologyCard";
import { Mark } from "../../ui/icons/Mark";
import { makeLoadable } from "../../ui/messages/makeLoadable";
import "./Home.css";

/** Few see it, so that Home opens without it. */
const ImportedDialog = makeLoadable(() => import("./ImportedDialog").then(({ ImportedDialog }) => ImportedDialog));

const POLL_MS = 5_000;

/** Up to so many cards leave room for examples below them. */
const FEW_CARDS = 3;

const fetchEverything = async () => {
  const [topologies, jobs] = await Promise.all([listTopologies(), listJobs()]);
  return { topologies, jobs };
};

/** Every topology and job, each with its state and live numbers. */
export function Home() {
  const { data, refusal, reload } = useResource(fetchEverything);
  const operators = useOperators();
  useTitle();
  const [filter, setFilter] = useState<Filter>("all");
  const [search, setSearch] = useState("");
  const [importResult, setImportResult] = useState<ImportResult | null>(null);
  const openImport = useCallback(
    (topology: ImportResult) => {
      if (topology.notes.length === 0) {
        openPath(hrefs.editor(topology.id));
        return;
      }
      void reload();
      setImportResult(topology);
    },
    [reload],
  );
  usePolling(reload, POLL_MS);

  const cards = useMemo(() => (data === null ? [] : listCards(data.topologies, data.jobs)), [data]);
  const visibleCards = filterCards(cards, filter, search);
  const amounts = countCards(cards);

  return (
    <div className="home">
      <div className="title">
        <h1>Topologies</h1>
        {cards.length > 0 && (
          <div className="beginnings">
            <ImportButton onImport={openImport} />
            <NewButton />
          </div>
        )}
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton />}
      {importResult !== null && <ImportedDialog result={importResult} close={() => setImportResult(null)} />}
      {data !== null && cards.length === 0 && <EmptyHome onImport={openImport} />}
      {cards.length > 0 && (
        <>
          <div className="filters">
            <Search label="Search topologies and jobs" value={search} change={setSearch} />
            <Chips
              label="Show"
              chips={FILTERS.map(({ filter, word }) => ({ value: filter, word, count: amounts[filter] }))}
              current={filter}
              choose={setFilter}
            />
          </div>
          <p className="for-screen-readers" role="status">
            {formatAmount(visibleCards.length, "topology", "topologies")} shown
          </p>
          <div className="cards">
            {visibleCards.map((card) => (
              <TopologyCard key={card.key} card={card} operators={operators} />
            ))}
          </div>
          {visibleCards.length === 0 && <p className="nothing">No match. Clear the search or choose another state.</p>}
        </>
      )}
      {data !== null && cards.length <= FEW_CARDS && <Examples operators={operators} />}
    </div>
  );
}

/** The home page without topologies: the next step. */
function EmptyHome({ onImport }: { readonly onImport: (result: ImportResult) => void }) {
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
