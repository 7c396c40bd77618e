import type { Graph, GraphNode, Operator } from "../../api/types";
import { findTopics } from "../../editor/graph/topics";
import { useLive } from "../../live/LiveContext";
import { chooseNumbers } from "../../live/rates";
import { Prose } from "../../ui/messages/Prose";
import { DroppedPart } from "./DroppedPart";
import { listFigures } from "./figures";
import { LagPart } from "./LagPart";
import { findTableSize } from "./lookups";
import { isUneven } from "./balance";
import { NoResultPart } from "./NoResultPart";
import "./NumbersPart.css";

const UNLIKELY_TIMES =
  "Unlikely times are before 2000 or more than a day ahead. The job processes these records, but one that is far " +
  "ahead makes later records late. Check `timestamp_field` and `timestamp_unit`, or set `max_ahead_ms`.";

interface Props {
  readonly node: GraphNode;
  readonly graph: Graph;
  readonly operator: Operator | undefined;
}

/** The live numbers of a node. Empty if no job ran it. */
export function NumbersPart({ node, graph, operator }: Props) {
  const state = useLive((live) => live.state);
  const numbers = chooseNumbers(state);
  const own = numbers?.nodes[node.id];
  if (own === undefined) return null;
  const isSource = operator?.topic_use === "reads";
  const lookup = findTableSize(node.id, operator?.looked_up_input, graph, numbers?.nodes ?? {});
  const sources = (isSource && numbers?.sources) || {};
  const topics = findTopics(node, Object.keys(sources)).filter((topic) => topic in sources);
  return (
    <section className="part numbers-part" aria-label="Live numbers">
      <dl className="number">
        {listFigures(own, isSource, lookup).map(({ name, value, tone }) => (
          <div key={name} className={tone}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {own.unlikely_times !== undefined && own.unlikely_times > 0 && (
        <p className="quiet">
          <Prose text={UNLIKELY_TIMES} />
        </p>
      )}
      {own.dropped > 0 && <DroppedPart numbers={own} />}
      {!isSource && isUneven(own) && <NoResultPart numbers={own} />}
      {topics.map((topic) => (
        <LagPart key={topic} source={sources[topic]} topic={topics.length > 1 ? topic : null} />
      ))}
    </section>
  );
}
