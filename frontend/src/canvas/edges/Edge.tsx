import { EdgeToolbar, type EdgeProps } from "@xyflow/react";
import { memo, use } from "react";
import type { Step } from "../../api/types";
import { useDocument } from "../../editor/interface/useEditor";
import { usePacedLive } from "../../live/LiveContext";
import { useFollowing } from "../../editor/interface/following";
import { useLineage } from "../../editor/interface/lineage";
import { usePressure } from "../running/pressure";
import { findWidth, readEdgeRate } from "../running/rates";
import { SHUFFLE } from "../../editor/graph/edges";
import { drawLine } from "../../editor/graph/paths";
import { formatRate } from "../../ui/text/format";
import { DifferencesContext } from "../flow/DifferencesContext";
import { InsertContext } from "../flow/InsertContext";
import type { FlowEdge } from "../flow/flow";
import { pointAt, pointAway, usePointing } from "./pointing";
import "./Edge.css";

const SHORT = 72;
/** A click on the middle of an edge selects it, so its button is just below. */
const BELOW = 6;

/** An edge in the look of its type, with its rate while the job runs. */
export const Edge = memo(function Edge(props: EdgeProps<FlowEdge>) {
  const { selected, data } = props;
  const look = data?.look ?? "stream";
  const { sourceX: x1, sourceY: y1, targetX: x2, targetY: y2 } = props;
  const { d: path, middle } = drawLine({ x1, y1, x2, y2 }, data?.lane ?? null);
  const { x, y } = middle;
  const isShuffled = useDocument((editor) => editor.shuffles.has(props.id));
  const kind = use(DifferencesContext).get(props.id);
  const waits = usePressure(({ edges }) => edges.has(props.id));
  const isOnWay = useFollowing(({ steps }) => isPassed(steps, props.source, props.target));
  const isOnLineage = useLineage(({ way }) => way.has(props.source) && way.has(props.target));
  const states = [waits ? "waits" : "", isOnWay || isOnLineage ? "on-way" : "", selected === true ? "selected" : ""];
  const marks = [...states, kind === undefined ? "" : `difference-${kind.toLowerCase()}`];
  const names = ["edge", look, ...marks];
  const isDouble = look === "table" || look === "global";
  return (
    <g className={names.filter(Boolean).join(" ")}>
      <path className="react-flow__edge-interaction" d={path} fill="none" strokeWidth={16} strokeOpacity={0} />
      <Flow data={data} path={path} />
      <path className="line" d={path} markerEnd={look === "stream" ? "url(#arrow)" : undefined} />
      {isDouble && <path className="between" d={path} />}
      {isShuffled && <Shuffle x={x} y={y} />}
      <InsertButton id={props.id} name={`Insert a node between ${props.source} and ${props.target}`} x={x} y={y} />
      <Moving data={data} path={path} at={isShort(props) ? null : { x, y: y - (isShuffled ? 11 : 5) }} />
    </g>
  );
});

/** There is no room for a number between neighbours, and both show it themselves. */
function isShort({ sourceX, sourceY, targetX, targetY }: EdgeProps<FlowEdge>): boolean {
  return Math.hypot(targetX - sourceX, targetY - sourceY) < SHORT;
}

interface InsertProps {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Asks for a node to insert. By keys, Tab on the selected edge does the same. */
function InsertButton({ id, name, x, y }: InsertProps) {
  const insert = use(InsertContext);
  const isPointedAt = usePointing(({ edge }) => edge === id);
  if (insert === null || !isPointedAt) return null;
  const press = () => {
    usePointing.setState({ edge: null });
    insert(id);
  };
  return (
    <EdgeToolbar edgeId={id} x={x} y={y + BELOW} alignX="center" alignY="top" isVisible>
      <button
        type="button"
        className="insert nodrag nopan"
        aria-label={name}
        title={name}
        onPointerEnter={() => pointAt(id)}
        onPointerLeave={pointAway}
        onClick={press}
      >
        +
      </button>
    </EdgeToolbar>
  );
}

/** Marks where records go to the task of a new key, as through a repartition topic of Kafka Streams. */
function Shuffle({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <g className="shuffle" transform={`translate(${x} ${y})`}>
      <title>{SHUFFLE}</title>
      <circle r={7} />
      <path d="M-4 -2.5 H-2 L2 2.5 H4 M-4 2.5 H-2 L2 -2.5 H4" />
    </g>
  );
}

/** Whether a followed record went from one node to another. */
function isPassed(steps: readonly Step[], source: string, target: string): boolean {
  return steps.some(({ node, from_step: from }) => node === target && from !== null && steps[from]?.node === source);
}

interface FlowProps {
  readonly data: FlowEdge["data"];
  readonly path: string;
}

/** A band as wide as the rate, beneath the line. Redrawn alone, when the rate has another power of ten. */
function Flow({ data, path }: FlowProps) {
  const width = usePacedLive(({ state }) => findWidth(readEdgeRate(state, data?.edge, data?.isOnlyInput ?? false)));
  return width > 0 && <path className="flow" d={path} style={{ strokeWidth: width }} />;
}

interface MovingProps extends FlowProps {
  /** The bottom of its rate, or null if there is no room. */
  readonly at: { readonly x: number; readonly y: number } | null;
}

/** The animation of an edge and its rate, redrawn alone. */
function Moving({ data, path, at }: MovingProps) {
  const words = usePacedLive(({ state }) => formatMoving(readEdgeRate(state, data?.edge, data?.isOnlyInput ?? false)));
  if (words === "") return null;
  return (
    <>
      <path className="moving" d={path} />
      {at !== null && (
        <text className="edge-rate number" x={at.x} y={at.y} textAnchor="middle">
          {words}
        </text>
      )}
    </>
  );
}

function formatMoving(rate: number): string {
  return rate > 0 ? formatRate(rate) : "";
}
