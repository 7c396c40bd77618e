import type { LiveJob } from "../../../live/useLiveJob";
import { series, SHOWN_POINTS } from "../../../live/history";
import { waitCount } from "../../../live/numbers";
import { flows, shownNumbers } from "../../../live/rates";
import type { Numbers } from "../../../live/state";
import { bytes, count, countOf, duration, rate, shortCount } from "../../../numbers/format";
import { Sparkline } from "../../../parts/display/Sparkline";
import { Tile } from "../../../parts/display/Tile";
import { Link } from "../../../routing/Link";
import { hrefs } from "../../../routing/route";

/** The numbers of the whole job, each with its last five minutes. */
export function Tiles({ job, live }: { readonly job: number; readonly live: LiveJob }) {
  const numbers = shownNumbers(live.state);
  const isOver = live.state !== null && !flows(live.state);
  const batch = numbers?.batch;
  const hosts = Object.keys(numbers?.executors ?? {}).length;
  const where = hosts === 0 ? "of all its processes" : `on ${countOf(hosts + 1, "host")}`;
  const line = (name: Parameters<typeof series>[1], label: string) => (
    <Sparkline
      values={series(live.history, name)}
      slots={SHOWN_POINTS}
      tone={isOver ? "quiet" : "accent"}
      label={`${label} of the last five minutes`}
    />
  );
  return (
    <dl className="tiles">
      <Tile
        name="Throughput"
        value={rate(numbers?.rate)}
        unit="/s"
        detail={`${shortCount(numbers?.records_in)} ${isOver ? "in the last run" : "in this run"}`}
      >
        {line("rate", "Throughput")}
      </Tile>
      <Tile name="Lag" value={count(numbers?.lag)} unit="records" detail={catchUp(numbers)}>
        {line("lag", "Lag")}
      </Tile>
      <Tile name="Latency" value={duration(numbers?.latency_ms)} detail="record to result">
        {line("latency_ms", "Latency")}
      </Tile>
      <Tile name="Batch time" value={duration(batch?.duration_ms)} detail={`batch ${count(batch?.number)}`}>
        {line("batch_ms", "Batch time")}
      </Tile>
      <Tile name="State" value={shortCount(numbers?.state.rows)} unit="rows" detail={bytes(numbers?.state.bytes)}>
        {line("state_rows", "State rows")}
      </Tile>
      <Tile name="Memory" value={bytes(numbers?.memory)} detail={where}>
        {line("memory_bytes", "Memory")}
      </Tile>
      <Tile
        name="Dead letters"
        value={shortCount(numbers?.dead_letters)}
        detail={
          <Link href={hrefs.letters(job)} className="link">
            Group, try and redrive
          </Link>
        }
        isLoud={(numbers?.dead_letters ?? 0) > 0}
      />
    </dl>
  );
}

/** The longest time any source needs to catch up. */
function catchUp(numbers: Numbers | null): string {
  const sources = Object.values(numbers?.sources ?? {});
  if (sources.length === 0) return "";
  const amount = waitCount(sources);
  if (amount > 0) return `${shortCount(amount)} held up`;
  if (sources.every((source) => source.total_lag === 0)) return "caught up";
  if (sources.every((source) => source.catch_up_s === 0)) return "keeping up";
  const seconds = Math.max(0, ...sources.map((source) => source.catch_up_s ?? 0));
  return seconds > 0 ? `caught up in ${duration(seconds * 1_000)}` : "";
}
