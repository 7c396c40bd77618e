import { useCallback, useEffect, useState } from "react";
import { listBatches, lookAtBatch } from "../../api/calls";
import { useWhyNot } from "../../api/rights";
import type { KeptBatch, KeptBatches } from "../../api/types";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import {
  canRepeat,
  chooseBatch,
  describeBatch,
  describeEnds,
  findEnds,
  showLooked,
  usePast,
  zoomIn,
} from "../../editor/interface/past";
import { follow } from "../../editor/interface/following";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useInterfaceActions } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatShortCount } from "../../ui/text/format";
import { drawBars } from "./bars";
import "./PastBar.css";

const SETTLED_MS = 200;
/** New batches come while the past is open. */
const LOOK_MS = 10_000;
const HOUR = 3_600_000;
const SPANS: readonly (readonly [string, number | null])[] = [
  ["the last hours", null],
  ["a day", 24 * HOUR],
  ["a week", 7 * 24 * HOUR],
];
const ONLY_TABLES = "Only tables can be opened as of this batch: Kafka no longer has its records.";
const NOTHING_OPENS = "Nothing can be opened as of this batch: later changes of state are no longer kept.";

/** Goes back in time over the kept batches. The canvas, tables and records then show the chosen one. */
export function PastBar() {
  const { job } = useDeployment();
  return job === null ? null : <PastBarOf key={job.id} job={job.id} />;
}

type Between = Parameters<typeof listBatches>[1];

function PastBarOf({ job }: { readonly job: number }) {
  const [between, setBetween] = useState<Between>({});
  const { data: kept, refusal, reload } = useResource(useCallback(() => listBatches(job, between), [job, between]));
  usePolling(reload, LOOK_MS);
  const chosen = usePast(({ batch }) => batch);
  const { show } = useInterfaceActions();
  useEffect(() => {
    const time = usePast.getState().batch?.time ?? -1;
    const isKnown = kept === null || (kept.batches[0]?.time ?? 0) <= time;
    if (!isKnown) chooseBatch(kept.batches.at(-1) ?? null);
  }, [kept]);
  useEffect(() => () => chooseBatch(null), []);
  const chooseSpan = (span: number | null) => setBetween(span === null ? {} : { since: Date.now() - span });
  return (
    <section className="past-bar" aria-label="Past">
      <div className="controls">
        <label className="choice">
          Over
          <select onChange={({ target }) => chooseSpan(SPANS[target.selectedIndex]?.[1] ?? null)}>
            {SPANS.map(([word]) => (
              <option key={word}>{word}</option>
            ))}
          </select>
        </label>
        {kept !== null && chosen !== null && <Chosen job={job} kept={kept} batch={chosen} zoom={setBetween} />}
        <Button onClick={() => show("running")}>Back to now</Button>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {kept !== null && chosen !== null && <Slider kept={kept} batch={chosen} />}
      {kept !== null && <p className="ends quiet">{describeEnds(kept)}</p>}
    </section>
  );
}

interface Props {
  readonly kept: KeptBatches;
  readonly batch: KeptBatch;
}

/** The place of a batch, or of the one before it if there are too many for a place of its own. */
function findAt({ batches }: KeptBatches, { time }: KeptBatch): number {
  return batches.findLastIndex((each) => each.time <= time);
}

/** A batch in words, with steps to its neighbours. Asks what nodes did in it. */
function Chosen({ job, kept, batch, zoom }: Props & { readonly job: number; readonly zoom: (to: Between) => void }) {
  const at = findAt(kept, batch);
  const lag = usePast(({ looked }) => looked?.lag ?? null);
  const number = useStableValue(batch.number, SETTLED_MS);
  const repeats = canRepeat(kept, batch);
  const load = useCallback(
    async () => (repeats ? showLooked(await lookAtBatch(job, number, {})) : undefined),
    [job, number, repeats],
  );
  const { refusal } = useResource(load);
  const step = (by: number) => chooseBatch(kept.batches[at + by] ?? batch);
  const opens = kept.tables_since !== null && batch.time >= kept.tables_since;
  return (
    <>
      <Button disabled={at <= 0} onClick={() => step(-1)}>
        Earlier
      </Button>
      <span className="moment number" role="status">
        {describeBatch(batch)}
        {lag !== null && ` Lag of that minute: ${formatShortCount(lag)}.`}
      </span>
      <Button disabled={at >= kept.batches.length - 1} onClick={() => step(1)}>
        Later
      </Button>
      {kept.count > kept.batches.length && <Button onClick={() => zoom(zoomIn(kept, at))}>All batches near it</Button>}
      {repeats && <StepButton batch={batch.number} />}
      {repeats && <CorrectButton />}
      {!repeats && <span className="quiet">{opens ? ONLY_TABLES : NOTHING_OPENS}</span>}
      {refusal !== null && number === batch.number && <RefusalNotice refusal={refusal} />}
    </>
  );
}

/** Opens the trial over the state before the batch, record by record. */
function StepButton({ batch }: { readonly batch: number }) {
  const { topology } = useDeployment();
  const why = useWhyNot("editor", topology.project);
  const { openDrawer } = useInterfaceActions();
  const press = () => {
    follow({ step: { batch, record: null, through: "version" } });
    openDrawer("trial");
  };
  return (
    <Button why={why} onClick={press}>
      Step through it
    </Button>
  );
}

/** Opens the corrections of results since the chosen batch. */
function CorrectButton() {
  const { topology } = useDeployment();
  const why = useWhyNot("editor", topology.project);
  const { openDrawer } = useInterfaceActions();
  return (
    <Button why={why} onClick={() => openDrawer("proof")}>
      Correct since here …
    </Button>
  );
}

/** One place for each batch. Bars show its records, and red ones failures. What cannot be opened is hatched. */
function Slider({ kept, batch }: Props) {
  const { gone, tablesOnly } = findEnds(kept);
  const style = { ["--gone" as string]: `${gone * 100}%`, ["--tables-only" as string]: `${tablesOnly * 100}%` };
  return (
    <div className="slider" style={style}>
      <svg viewBox={`0 0 ${Math.max(1, kept.batches.length - 1)} 1`} preserveAspectRatio="none" aria-hidden="true">
        <path d={drawBars(kept.batches, ({ records }) => records)} />
        <path className="records-failed" d={drawBars(kept.batches, ({ failed }) => failed)} />
      </svg>
      <input
        type="range"
        aria-label="Batch"
        aria-valuetext={describeBatch(batch)}
        min={0}
        max={kept.batches.length - 1}
        value={Math.max(0, findAt(kept, batch))}
        onChange={({ target }) => chooseBatch(kept.batches[Number(target.value)] ?? batch)}
      />
    </div>
  );
}
