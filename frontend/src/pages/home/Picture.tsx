import { useMemo } from "react";
import type { Operators } from "../../api/useOperators";
import { findNodeKind, nameKindClass } from "../../editor/graph/kinds";
import type { Graph, GraphNode } from "../../api/types";
import { Sprite } from "../../ui/icons/Sprite";
import { shorten } from "../../editor/graph/shorten";
import { layOutPicture } from "../../editor/graph/picture";
import "./Picture.css";

interface Props {
  readonly graph: Graph;
  readonly operators: Operators;
  /** A word for a node below its box, for pictures that differ by settings. The picture is then larger. */
  readonly wordOf?: (node: GraphNode) => string;
}

const BOX = { width: 14, height: 8 };
const GAPS = { column: 10, lane: 7 };
const MARGIN = { x: 2, y: 2 };
/** With words: a box has room for an icon, and a wider place below it for a word. */
const LARGE = { box: { width: 26, height: 16 }, gaps: { column: 18, lane: 16 }, letters: 11, margin: { x: 9, y: 10 } };
const MIN_WIDTH = 200;
const MIN_HEIGHT = 40;
/** Of a larger one, its beginning is shown: all of it would be too small to see. */
const MAX_WIDTH = 1_000;
const MAX_HEIGHT = 180;

/** A topology at a glance: boxes in the colour of what they give, with edges and no words. */
export function Picture({ graph, operators, wordOf }: Props) {
  const small = { box: BOX, gaps: GAPS, margin: MARGIN };
  const { box, gaps, margin } = wordOf === undefined ? small : LARGE;
  const { boxes, edges, width, height } = useMemo(() => layOutPicture(graph, box, gaps), [graph, box, gaps]);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const operatorOf = (id: string) => operators.get(nodes.get(id)?.operator ?? "");
  const [wide, high] = [Math.min(width, MAX_WIDTH), Math.min(height, MAX_HEIGHT)];
  const [w, h] = [Math.max(wide, MIN_WIDTH), Math.max(high, MIN_HEIGHT)];
  const corner = [(wide - w) / 2 - margin.x, (high - h) / 2 - margin.y];
  const shown = boxes.filter(({ x, y }) => x < wide && y < high);
  const ids = new Set(shown.map(({ id }) => id));
  const view = [...corner, w + 2 * margin.x, h + 2 * margin.y].join(" ");
  return (
    <svg className="picture" viewBox={view} aria-hidden="true" focusable="false">
      {edges.filter(({ source }) => ids.has(source)).map((edge) => (
        <path key={`${edge.source} ${edge.target}`} className="picture-edge" d={edge.path} />
      ))}
      {shown.map((box) => {
        const node = nodes.get(box.id);
        const middle = box.x + box.width / 2;
        return (
          <g key={box.id} className={nameKindClass(node === undefined ? "open" : findNodeKind(node, graph, operators))}>
            <rect x={box.x} y={box.y} width={box.width} height={box.height} rx="2" />
            {wordOf !== undefined && node !== undefined && (
              <>
                <g transform={`translate(${middle - 5} ${box.y + 3})`}>
                  <Sprite className="icon" icon={operatorOf(box.id)?.icon ?? ""} size={10} />
                </g>
                <text x={middle} y={box.y + box.height + 7}>
                  {shorten(wordOf(node), LARGE.letters)}
                </text>
              </>
            )}
          </g>
        );
      })}
    </svg>
  );
}
