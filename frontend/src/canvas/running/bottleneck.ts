/** Where records wait, and for what. */
import type { Graph } from "../../api/types";
import { findTopics } from "../../editor/graph/topics";
import { flows } from "../../live/rates";
import type { LiveState, Numbers, SourceNumbers } from "../../live/state";

export interface Bottleneck {
  /** The topics whose records wait. */
  readonly topics: readonly string[];
  /** The node that takes most of the time, or null if the time goes elsewhere. */
  readonly node: string | null;
  /** What takes the time if no node does, or null if nothing takes much. */
  readonly step: string | null;
  /** Its share of the time, in percent. */
  readonly share: number;
}

/** A source that is this far behind (s) waits; so does one that is two batches behind. */
const MIN_BEHIND_S = 5;
/** A node that is busy half of the time is the bottleneck, whatever else takes time. */
const MIN_SHARE = 0.5;
/** What takes less of the time than this is no reason to wait. */
const MIN_PART = 0.25;

/** The steps of a batch besides the nodes, as users know them. Times of the same name are added. */
const STEPS: Readonly<Record<string, string>> = {
  produce_ms: "writing to Kafka",
  commit_ms: "writing to Kafka",
  load_ms: "loading and saving state",
  save_ms: "loading and saving state",
  queryPlanning_ms: "Spark's planning",
  latestOffset_ms: "asking Kafka for new records",
};

/** Null while no record waits, and while a run stops or has not committed a batch yet: then that is why they wait. */
export function findBottleneck(state: LiveState | null): Bottleneck | null {
  if (state === null || !flows(state) || state.numbers === null) return null;
  const { numbers, jobStatus } = state;
  if (jobStatus.status !== "running" || numbers.batch.number === null) return null;
  const topics = Object.keys(numbers.sources).filter((topic) => waits(numbers.sources[topic], numbers));
  if (topics.length === 0) return null;
  const busy = (numbers.slowest !== null && numbers.nodes[numbers.slowest]?.busy) || 0;
  const [step, part] = findLongestStep(numbers);
  if (numbers.slowest !== null && (busy >= MIN_SHARE || busy >= Math.max(part, MIN_PART))) {
    return { topics, node: numbers.slowest, step: null, share: Math.round(busy * 100) };
  }
  const isKnown = part >= MIN_PART;
  if (!isKnown && topics.every((topic) => numbers.sources[topic]?.trend === "falling")) return null; // it catches up
  return { topics, node: null, step: isKnown ? step : null, share: Math.round(part * 100) };
}

function waits(source: SourceNumbers | undefined, { batch }: Numbers): boolean {
  if (source === undefined || !source.total_lag || source.rereads) return false;
  if (source.lag_s === null) return source.trend === "rising";
  return source.lag_s >= Math.max(MIN_BEHIND_S, (2 * (batch.interval_ms ?? 0)) / 1_000);
}

function findLongestStep({ batch }: Numbers): readonly [string | null, number] {
  const times = new Map<string, number>();
  for (const [name, ms] of Object.entries(batch.phases ?? {})) {
    const step = STEPS[name];
    if (step !== undefined) times.set(step, (times.get(step) ?? 0) + ms);
  }
  const [step, ms] = [...times].toSorted(([, one], [, other]) => other - one)[0] ?? [null, 0];
  const all = Math.max(batch.duration_ms ?? 0, batch.interval_ms ?? 0);
  return all === 0 ? [null, 0] : [step, Math.min(1, ms / all)];
}

/** The edges from sources whose records wait to the bottleneck. Without such a node only those at the sources. */
export function findWaitingEdges(graph: Graph, { topics, node }: Bottleneck): ReadonlySet<number> {
  const sources = new Set(
    graph.nodes.filter((one) => findTopics(one, topics).some((topic) => topics.includes(topic))).map(({ id }) => id),
  );
  const after = new Set(sources);
  const before = new Set(node === null ? [] : [node]);
  for (let size = -1; size !== after.size + before.size; ) {
    size = after.size + before.size;
    for (const { source, target } of graph.edges) {
      if (after.has(source) && source !== node) after.add(target);
      if (before.has(target)) before.add(source);
    }
  }
  const isOnWay = (source: string, target: string) =>
    after.has(source) && source !== node && (node === null ? sources.has(source) : before.has(target));
  return new Set(graph.edges.flatMap(({ source, target }, index) => (isOnWay(source, target) ? [index] : [])));
}
