import { useMemo } from "react";
import type { Operators } from "../../api/useOperators";
import type { NodeNumbers } from "../../live/state";
import { formatRate } from "../../ui/text/format";
import { findNodeKind, nameKindClass, type Kind } from "../../editor/graph/kinds";
import type { Graph } from "../../api/types";
import { layOutPicture, type Box } from "../../editor/graph/picture";
import { measureRoom, shorten } from "../../editor/graph/shorten";
import { listEdgeLooks, type EdgeLook } from "../../editor/graph/edges";
import "./LiveGraph.css";

interface Props {
  readonly graph: Graph;
  readonly operators: Operators;
  readonly numbers: Readonly<Record<string, NodeNumbers>>;
}

const BOX = { width: 118, height: 38 };
const GAPS = { column: 18, lane: 14 };
const MARGIN = 2;
/** How many letters of a bold name fit a box, in the widest of the usual fonts. */
const LETTERS = 14;

/** The deployed topology with each node's name, operator and rate. The table of nodes says the same in words. */
export function LiveGraph({ graph, operators, numbers }: Props) {
  const { boxes, edges, width, height } = useMemo(() => layOutPicture(graph, BOX, GAPS), [graph]);
  const looks = useMemo(() => listEdgeLooks(graph, operators), [graph, operators]);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const view = `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`;
  return (
    <div className="live-graph across">
      <svg viewBox={view} width={width + 2 * MARGIN} height={height + 2 * MARGIN} role="img" aria-label="The topology">
        {edges.map((edge, index) => (
          <EdgePath key={index} path={edge.path} look={looks[index] ?? "stream"} />
        ))}
        {boxes.map((box) => {
          const node = nodes.get(box.id);
          const kind = node === undefined ? "open" : findNodeKind(node, graph, operators);
          return (
            <NodeBox key={box.id} box={box} operator={node?.operator ?? ""} kind={kind} numbers={numbers[box.id]} />
          );
        })}
      </svg>
    </div>
  );
}

/** One line for a stream. A table has a thicker line with the ground in its middle. */
function EdgePath({ path, look }: { readonly path: string; readonly look: EdgeLook }) {
  const isDouble = look === "table" || look === "global";
  return (
    <g className={`live-edge ${look}`}>
      <path d={path} />
      {isDouble && <path className="between" d={path} />}
    </g>
  );
}

interface NodeBoxProps {
  readonly box: Box;
  readonly operator: string;
  readonly kind: Kind;
  readonly numbers: NodeNumbers | undefined;
}

function NodeBox({ box, operator, kind, numbers }: NodeBoxProps) {
  const shownRate = numbers === undefined ? "" : formatRate(numbers.rate);
  return (
    <g className={`node ${nameKindClass(kind)}`} transform={`translate(${box.x} ${box.y})`}>
      <title>{`${box.id}: ${operator}`}</title>
      <rect width={box.width} height={box.height} rx="5" />
      <path className="kind" d={`M0.5,6V${box.height - 6}`} />
      <text className="name" x="9" y="16">
        {shorten(box.id, LETTERS)}
      </text>
      <text className="operator" x="9" y="30">
        {shorten(operator, measureRoom(shownRate))}
      </text>
      <text className={numbers?.rate ? "rate" : "rate zero"} x={box.width - 7} y="30">
        {shownRate}
      </text>
    </g>
  );
}
