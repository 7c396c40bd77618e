import { getSmoothStepPath, type EdgeProps } from "@xyflow/react";
import { memo, use } from "react";
import { useDocument } from "../../editor/interface/useEditor";
import { usePacedLive } from "../../live/LiveContext";
import { flows } from "../../live/rates";
import { SHUFFLE } from "../../editor/graph/edges";
import { drawForwardLine } from "../../editor/graph/paths";
import { formatRate } from "../../ui/text/format";
import { DifferencesContext } from "../flow/DifferencesContext";
import type { FlowEdge } from "../flow/flow";
import "./Edge.css";

const SHORT = 72;

/** An edge in the look of its type, with its rate while the job runs. */
export const Edge = memo(function Edge(props: EdgeProps<FlowEdge>) {
  const { source, selected, data } = props;
  const look = data?.look ?? "stream";
  const [path, x, y] = drawPath(props);
  const isShuffled = useDocument((editor) => editor.shuffles.has(props.id));
  const kind = use(DifferencesContext).get(props.id);
  const marks = [selected === true ? "selected" : "", kind === undefined ? "" : `difference-${kind.toLowerCase()}`];
  const names = ["edge", look, ...marks];
  const isDouble = look === "table" || look === "global";
  return (
    <g className={names.filter(Boolean).join(" ")}>
      <path className="react-flow__edge-interaction" d={path} fill="none" strokeWidth={16} strokeOpacity={0} />
      <path className="line" d={path} markerEnd={look === "stream" ? "url(#arrow)" : undefined} />
      {isDouble && <path className="between" d={path} />}
      {isShuffled && <Shuffle x={x} y={y} />}
      <Flowing source={source} path={path} at={isShort(props) ? null : { x, y: y - (isShuffled ? 11 : 5) }} />
    </g>
  );
});

/** An edge back to the left goes around the nodes. Others are one curve, or a lane past nodes in between. */
function drawPath(props: EdgeProps<FlowEdge>): readonly [string, number, number] {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data } = props;
  const line = drawForwardLine({ x1: sourceX, y1: sourceY, x2: targetX, y2: targetY }, data?.lane ?? null);
  if (line !== null) return [line.d, line.middle.x, line.middle.y];
  const ends = { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition };
  const [path, x, y] = getSmoothStepPath({ ...ends, borderRadius: 12 });
  return [path, x, y];
}

/** There is no room for a number between neighbours, and both show it themselves. */
function isShort({ sourceX, sourceY, targetX, targetY }: EdgeProps<FlowEdge>): boolean {
  return Math.hypot(targetX - sourceX, targetY - sourceY) < SHORT;
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

interface FlowingProps {
  readonly source: string;
  readonly path: string;
  /** The bottom of its rate, or null if there is no room. */
  readonly at: { readonly x: number; readonly y: number } | null;
}

/** The animation of an edge, redrawn alone. */
function Flowing({ source, path, at }: FlowingProps) {
  const speed = usePacedLive(({ state }) =>
    state !== null && flows(state) ? (state.numbers?.nodes[source]?.out_rate ?? 0) : 0,
  );
  if (speed <= 0) return null;
  return (
    <>
      <path className="moving" d={path} />
      {at !== null && (
        <text className="edge-rate number" x={at.x} y={at.y} textAnchor="middle">
          {formatRate(speed)}
        </text>
      )}
    </>
  );
}
