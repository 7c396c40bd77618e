import { useEffect, useRef } from "react";
import type { LiveJob } from "../../../live/useLiveJob";
import { readSeries, SHOWN_POINTS } from "../../../live/history";
import { countAll, useEarlierOf } from "../../../drawer/deadLetters/earlier";
import { chooseNumbers, flows } from "../../../live/rates";
import { describeCatchUp } from "./catchUp";
import {
  formatAmount,
  formatBytes,
  formatCount,
  formatDuration,
  formatRate,
  formatShortCount,
  nameUnit,
} from "../../../ui/text/format";
import { Sparkline } from "../../../ui/display/Sparkline";
import { Tile } from "../../../ui/display/Tile";
import { Link } from "../../../ui/routing/Link";
import { hrefs } from "../../../ui/routing/route";

/** The numbers of the whole job, each with its last five minutes. */
export function Tiles({ job, live }: { readonly job: number; readonly live: LiveJob }) {
  const numbers = chooseNumbers(live.state);
  const isOver = live.state !== null && !flows(live.state);
  const jobStatus = live.state?.jobStatus ?? null;
  const newest = useRef(numbers);
  useEffect(() => {
    newest.current = numbers;
  });
  const earlier = useEarlierOf(jobStatus, live.state?.numbers?.run === jobStatus?.run, () => newest.current);
  const letters = countAll(numbers, earlier, null);
  const batch = numbers?.batch;
  const state = numbers?.state ?? null;
  const hosts = Object.keys(numbers?.executors ?? {}).length;
  const where = hosts === 0 ? "of all its processes" : `on ${formatAmount(hosts + 1, "host")}`;
  const line = (name: Parameters<typeof readSeries>[1], label: string) => (
    <Sparkline
      values={readSeries(live.history, name)}
      slots={SHOWN_POINTS}
      tone={isOver ? "quiet" : "accent"}
      label={`${label} of the last five minutes`}
    />
  );
  return (
    <dl className="tiles">
      <Tile
        name="Throughput"
        value={formatRate(numbers?.rate)}
        unit="/s"
        detail={numbers !== null && `${formatShortCount(numbers.records_in)} in ${isOver ? "the last" : "this"} run`}
      >
        {line("rate", "Throughput")}
      </Tile>
      <Tile
        name="Lag"
        value={formatCount(numbers?.lag)}
        unit={nameUnit(numbers?.lag, "record")}
        detail={describeCatchUp(numbers, isOver)}
      >
        {line("lag", "Lag")}
      </Tile>
      <Tile name="Latency" value={formatDuration(numbers?.latency_ms)} detail="record to result">
        {line("latency_ms", "Latency")}
      </Tile>
      <Tile
        name="Batch time"
        value={formatDuration(batch?.duration_ms)}
        detail={batch?.number != null && `batch ${formatCount(batch.number)}`}
      >
        {line("batch_ms", "Batch time")}
      </Tile>
      <Tile
        name="State"
        value={formatShortCount(state?.rows)}
        unit={nameUnit(state?.rows, "row")}
        detail={state !== null && formatBytes(state.bytes)}
      >
        {line("state_rows", "State rows")}
      </Tile>
      <Tile name="Memory" value={formatBytes(numbers?.memory)} detail={where}>
        {line("memory_bytes", "Memory")}
      </Tile>
      <Tile
        name="Dead letters"
        value={`${earlier?.isAbout === true ? "about " : ""}${formatShortCount(letters)}`}
        detail={
          <Link href={hrefs.letters(job)} className="link">
            Group, try and redrive
          </Link>
        }
        isLoud={(letters ?? 0) > 0}
      />
    </dl>
  );
}
