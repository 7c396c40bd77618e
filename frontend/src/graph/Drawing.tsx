import { useMemo } from "react";
import type { NodeNumbers } from "../live/state";
import { rate } from "../numbers/format";
import { familyClass } from "./families";
import type { Linked } from "./layered";
import { pictureOf, type Box } from "./picture";
import { shortened } from "./shortened";
import "./Drawing.css";

interface DrawnNode {
  readonly id: string;
  readonly operator: string;
}

interface Props {
  readonly graph: Linked & { readonly nodes: readonly DrawnNode[] };
  readonly families: ReadonlyMap<string, string>;
  readonly numbers: Readonly<Record<string, NodeNumbers>>;
}

const BOX = { width: 118, height: 38 };
const GAPS = { column: 18, lane: 14 };
const MARGIN = 2;

/** The deployed topology with each node's name, operator and rate. The table of nodes says the same in words. */
export function Drawing({ graph, families, numbers }: Props) {
  const { boxes, wires, width, height } = useMemo(() => pictureOf(graph, BOX, GAPS), [graph]);
  const operators = new Map(graph.nodes.map((node) => [node.id, node.operator]));
  const view = `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`;
  return (
    <div className="drawing">
      <svg viewBox={view} width={width + 2 * MARGIN} height={height + 2 * MARGIN} role="img" aria-label="The topology">
        {wires.map((wire) => (
          <path key={`${wire.source} ${wire.target}`} className="wire" d={wire.path} />
        ))}
        {boxes.map((box) => {
          const operator = operators.get(box.id) ?? "";
          const family = families.get(operator);
          return <NodeBox key={box.id} box={box} operator={operator} family={family} numbers={numbers[box.id]} />;
        })}
      </svg>
    </div>
  );
}

interface NodeBoxProps {
  readonly box: Box;
  readonly operator: string;
  readonly family: string | undefined;
  readonly numbers: NodeNumbers | undefined;
}

function NodeBox({ box, operator, family, numbers }: NodeBoxProps) {
  return (
    <g className={`node ${familyClass(family)}`} transform={`translate(${box.x} ${box.y})`}>
      <title>{`${box.id}: ${operator}`}</title>
      <rect width={box.width} height={box.height} rx="5" />
      <path className="family" d={`M0.5,6V${box.height - 6}`} />
      <text className="name" x="9" y="16">
        {shortened(box.id, 18)}
      </text>
      <text className="operator" x="9" y="30">
        {shortened(operator, 14)}
      </text>
      {numbers !== undefined && (
        <text className="rate" x={box.width - 7} y="30">
          {rate(numbers.rate)}
        </text>
      )}
    </g>
  );
}
