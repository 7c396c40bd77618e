import type { GraphNode } from "../../graph/graph";
import { useLive } from "../../live/LiveContext";
import { shownNumbers } from "../../live/rates";
import { DroppedPart } from "./DroppedPart";
import { figuresOf } from "./figures";
import { LagPart } from "./LagPart";
import "./NumbersPart.css";

interface Props {
  readonly node: GraphNode;
  readonly isSource: boolean;
}

/** The live numbers of a node; nothing without a job that ran it. */
export function NumbersPart({ node, isSource }: Props) {
  const state = useLive((live) => live.state);
  const numbers = shownNumbers(state);
  const own = numbers?.nodes[node.id];
  if (own === undefined) return null;
  const source = isSource ? numbers?.sources[String(node.config.topic)] : undefined;
  return (
    <section className="part numbers-part" aria-label="Live numbers">
      <dl className="number">
        {figuresOf(own, isSource).map(({ name, value, tone }) => (
          <div key={name} className={tone}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {own.dropped > 0 && <DroppedPart numbers={own} />}
      {source !== undefined && <LagPart source={source} />}
    </section>
  );
}
