import type { GraphNode, Issue } from "../../api/types";
import { useDocument, useInterface } from "../../editor/interface/useEditor";
import { findTopics } from "../../editor/graph/topics";
import { usePacedLive } from "../../live/LiveContext";
import { mergeLags } from "../../live/numbers";
import { countRereads, countWaiting, describeWait, nameAwaitedSchema } from "../../ui/text/waits";
import { flows } from "../../live/rates";
import { countUnread, describeCounts, usePast } from "../../editor/interface/past";
import { usePressure } from "../running/pressure";
import { countBusyTwentieths, findTrouble } from "./trouble";
import type { LiveState, Size, SourceNumbers } from "../../live/state";
import { formatBriefCount, formatBytes, formatRate, formatShortCount } from "../../ui/text/format";

interface Props {
  readonly node: GraphNode;
  readonly isSource: boolean;
}

const ARROWS = { falling: "↓", steady: "→", rising: "↑" } as const;

const NOT_RUNNING = "not running";

/** A node's rate and errors, redrawn alone when the text changes. */
export function NodeRate({ id }: { readonly id: string }) {
  const words = usePacedLive(({ state }) => describeRate(state, id));
  return (
    <p className={words === NOT_RUNNING ? "numbers none" : "numbers number"}>
      <span className={words === NOT_RUNNING ? "rate zero" : "rate"}>{words}</span>
      <Trouble id={id} />
    </p>
  );
}

/** The number of records that a node dropped and failed. */
function Trouble({ id }: { readonly id: string }) {
  const drops = usePacedLive(({ state }) => formatShortCount(state?.numbers?.nodes[id]?.dropped ?? 0));
  const failures = usePacedLive(({ state }) => formatShortCount(state?.numbers?.nodes[id]?.errors ?? 0));
  return (
    <>
      {failures !== "0" && <span className="bad">{failures} failed</span>}
      {drops !== "0" && (
        <span className="drops" title="Records dropped">
          −{drops}
        </span>
      )}
    </>
  );
}

const NO_ISSUES: readonly Issue[] = [];

/** Visible at every distance: how busy a node is, and the colour of its warning edge. */
export function NodeState({ node }: { readonly node: GraphNode }) {
  const { id } = node;
  const isDraft = useInterface(({ view }) => view === "draft");
  const issues = useDocument(({ issuesByNode }) => (isDraft ? issuesByNode.get(id) : undefined)) ?? NO_ISSUES;
  const wasLeft = useInterface(({ leftIds }) => leftIds.has(id));
  const busy = usePacedLive(({ state }) => countBusyTwentieths(state, id));
  const trouble = usePacedLive(({ state }) =>
    findTrouble(state?.numbers?.nodes[id], listSources(state, node), wasLeft ? issues : NO_ISSUES),
  );
  const isBottleneck = usePressure(({ bottleneck }) => bottleneck?.node === id);
  return (
    <>
      {busy > 0 && (
        <>
          <i className="warmth" style={{ opacity: WARMEST * Math.sqrt(busy / 20) }} />
          <i className="busy" role="img" aria-label={`Busy ${busy * 5} %`} style={{ width: `${busy * 5}%` }} />
        </>
      )}
      {isBottleneck && <i className="is-bottleneck" />}
      {trouble !== "" && <i className={`trouble ${trouble}`} />}
    </>
  );
}

/** Of a node that is always busy. Words on it must stay readable. */
const WARMEST = 0.45;

function describeRate(state: LiveState | null, id: string): string {
  const numbers = state?.numbers?.nodes[id];
  if (state?.numbers == null) return "";
  if (numbers === undefined) return NOT_RUNNING;
  return `${formatRate(flows(state) ? numbers.rate : 0)}/s`;
}

/** A node's numbers, live or of a kept batch: redrawn alone when they change. */
export function NodeNumbers({ node, isSource }: Props) {
  const isPast = useInterface(({ view }) => view === "past");
  return isPast ? <PastNumbers node={node} isSource={isSource} /> : <LiveNumbers node={node} isSource={isSource} />;
}

/** What a node did in the chosen batch. */
function PastNumbers({ node, isSource }: Props) {
  const counts = usePast(({ looked }) => looked?.nodes[node.id]);
  const isKnown = usePast(({ looked }) => looked !== null);
  const unread = usePast(({ looked }) => (isSource ? (looked?.unread ?? null) : null));
  const lag = isSource && isKnown && <PastLag unread={countUnread(unread, node)} />;
  if (counts === undefined) return isKnown && <p className="numbers none">no records {lag}</p>;
  return (
    <p className="numbers number" title={describeCounts(counts)}>
      <span className={counts.in + counts.out > 0 ? "rate" : "rate zero"}>
        {isSource ? "" : `${formatShortCount(counts.in)} → `}
        {formatShortCount(counts.out)}
      </span>
      {counts.errors > 0 && <span className="bad">{formatShortCount(counts.errors)} failed</span>}
      {counts.dropped > 0 && <span className="drops">−{formatShortCount(counts.dropped)}</span>}
      {lag}
    </p>
  );
}

/** What was in the topics of a source when the batch was planned, and was left for later batches. */
function PastLag({ unread }: { readonly unread: number | null }) {
  const title =
    unread === null
      ? "The lag of this batch is not known: it was executed again after a restart, or by an earlier Streamwright."
      : "Lag: records that were in its topics when the batch began, and that the batch left for later ones";
  return (
    <span className="lag" title={title}>
      lag {unread === null ? "?" : formatShortCount(unread)}
    </span>
  );
}

function LiveNumbers({ node, isSource }: Props) {
  const numbers = usePacedLive(({ state }) => state?.numbers?.nodes[node.id]);
  const isMoving = usePacedLive(({ state }) => state !== null && flows(state));
  const hasJob = usePacedLive(({ state }) => state?.numbers != null);
  if (numbers === undefined) return hasJob && <p className="numbers none">{NOT_RUNNING}</p>;
  const speed = isMoving ? numbers.rate : 0;
  const through = `${formatShortCount(numbers.in)} in, ${formatShortCount(numbers.out)} out`;
  return (
    <p className="numbers number">
      {isSource && <Waits node={node} />}
      <span className={speed > 0 ? "rate" : "rate zero"} title={through}>
        {formatRate(speed)}/s
      </span>
      <Trouble id={node.id} />
      {isSource ? <Lag node={node} /> : <StateSize state={numbers.state} />}
    </p>
  );
}

/** What a source waits for, or reads again. It stands first: the words behind a rate may have no room. */
function Waits({ node }: { readonly node: GraphNode }) {
  const amount = usePacedLive(({ state }) => countWaiting(listSources(state, node)));
  const awaited = usePacedLive(({ state }) => nameAwaitedSchema(listSources(state, node)));
  const rereads = usePacedLive(({ state }) => countRereads(listSources(state, node)));
  const waits = usePacedLive(({ state }) => describeWait(listSources(state, node)));
  return (
    <>
      {awaited !== "" && (
        <span className="bad" title={waits}>
          {awaited}
        </span>
      )}
      {amount > 0 && (
        <span className="bad" title={waits}>
          {formatShortCount(amount)} held up
        </span>
      )}
      {rereads > 0 && (
        <span className="lag" title={waits}>
          again {formatShortCount(rereads)}
        </span>
      )}
    </>
  );
}

/** The unread records of a source, then the trend: where both have no room, the number stays. */
function Lag({ node }: { readonly node: GraphNode }) {
  const lag = usePacedLive(({ state }) => mergeLags(listSources(state, node))?.total_lag);
  const trend = usePacedLive(({ state }) => mergeLags(listSources(state, node))?.trend);
  const rereads = usePacedLive(({ state }) => countRereads(listSources(state, node)));
  // while it reads records again, they are no lag
  if (lag == null || rereads > 0) return null;
  return (
    <>
      <span className="lag" title="Lag: committed records in its topics that the job has not read yet">
        lag {formatBriefCount(lag)}
      </span>
      {trend != null && lag > 0 && <span className="trend">{ARROWS[trend]}</span>}
    </>
  );
}

function listSources(state: LiveState | null, node: GraphNode): readonly SourceNumbers[] {
  const sources = state?.numbers?.sources ?? {};
  return findTopics(node, Object.keys(sources)).flatMap((topic) => sources[topic] ?? []);
}

interface StateProps {
  readonly state: Size | null | undefined;
}

/** The size of a node's stores, or the number of results that it holds back: its store has several rows for each. */
function StateSize({ state }: StateProps) {
  if (state == null) return null;
  if (state.held !== undefined) {
    const title = `Results held back. State: ${formatBytes(state.bytes)}`;
    return (
      <span className="held" title={title}>
        {formatShortCount(state.held)} waiting
      </span>
    );
  }
  return <span title={`State: ${formatBytes(state.bytes)}`}>{formatShortCount(state.rows)} rows</span>;
}
