import { describeType, listMembers, type Member, type Type } from "./types";
import "./TypeTree.css";

/** A read-only view of a type with all its nested fields. */
export function TypeTree({ type }: { readonly type: Type }) {
  const members = listMembers(type);
  if (members.length === 0) return <span className="type-tree mono">{describeType(type)}</span>;
  return <Members members={members} />;
}

function Members({ members }: { readonly members: readonly Member[] }) {
  return (
    <ul className="type-tree mono">
      {members.map(({ name, type }, index) => {
        const inner = listMembers(type);
        return (
          <li key={index}>
            <span className="line">
              <span>{name}</span> <span className="quiet">{describeType(type)}</span>
            </span>
            {inner.length > 0 && <Members members={inner} />}
          </li>
        );
      })}
    </ul>
  );
}
