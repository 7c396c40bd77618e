import type { Operator } from "../../api/types";
import { findOperatorKind, nameKindClass } from "../../editor/graph/kinds";
import { OperatorIcon } from "../../ui/icons/OperatorIcon";
import { startDrag } from "./dragging";
import { groupByFamily, takeFirstSentence } from "./search";
import "./OperatorList.css";

interface Props {
  readonly operators: readonly Operator[];
  /** During a search the best match comes first, of any family. */
  readonly isGrouped: boolean;
  /** Operators before all families. */
  readonly first?: { readonly name: string; readonly operators: readonly Operator[] };
  readonly choose: (operator: Operator) => void;
}

const NONE = { name: "", operators: [] };

/** Operators to drag onto the canvas, or to press. */
export function OperatorList({ operators, isGrouped, first = NONE, choose }: Props) {
  const others = operators.filter((operator) => !first.operators.includes(operator));
  const before = first.operators.length > 0 ? [first] : [];
  const groups = isGrouped ? [...before, ...groupByFamily(others)] : [{ name: "found", operators }];
  return (
    <div className="operator-list">
      {groups.map(({ name, operators }) => (
        <section key={name} aria-label={name}>
          {isGrouped && <h3>{name}</h3>}
          <ul>
            {operators.map((operator, index) => (
              <li key={operator.name}>
                <button
                  type="button"
                  className={nameKindClass(findOperatorKind(operator))}
                  draggable
                  title={takeFirstSentence(operator)}
                  onDragStart={(event) => startDrag(event, operator.name)}
                  onClick={() => choose(operator)}
                >
                  <OperatorIcon name={operator.icon} />
                  {operator.name}
                  {!isGrouped && index === 0 && <kbd aria-hidden="true">Enter</kbd>}
                  {!isGrouped && <small aria-hidden="true">{takeFirstSentence(operator)}</small>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {operators.length === 0 && <p className="quiet">No operator matches.</p>}
    </div>
  );
}
