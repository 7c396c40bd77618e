import { useMemo } from "react";
import type { Operators } from "../api/useOperators";
import { familyClass } from "./families";
import type { Graph } from "../api/types";
import { pictureOf } from "./picture";
import "./Picture.css";

interface Props {
  readonly graph: Graph;
  readonly operators: Operators;
}

const BOX = { width: 14, height: 8 };
const GAPS = { column: 10, lane: 7 };
const MARGIN = 2;
const MIN_WIDTH = 200;
const MIN_HEIGHT = 40;

/** A topology at a glance: boxes in their family's colour, edges between them, no words. */
export function Picture({ graph, operators }: Props) {
  const { boxes, edges, width, height } = useMemo(() => pictureOf(graph, BOX, GAPS), [graph]);
  const families = new Map(graph.nodes.map((node) => [node.id, operators.get(node.operator)?.family]));
  const [w, h] = [Math.max(width, MIN_WIDTH), Math.max(height, MIN_HEIGHT)];
  const view = [(width - w) / 2 - MARGIN, (height - h) / 2 - MARGIN, w + 2 * MARGIN, h + 2 * MARGIN].join(" ");
  return (
    <svg className="picture" viewBox={view} aria-hidden="true" focusable="false">
      {edges.map((edge) => (
        <path key={`${edge.source} ${edge.target}`} className="edge" d={edge.path} />
      ))}
      {boxes.map((box) => (
        <rect
          key={box.id}
          className={familyClass(families.get(box.id))}
          x={box.x}
          y={box.y}
          width={box.width}
          height={box.height}
          rx="2"
        />
      ))}
    </svg>
  );
}
