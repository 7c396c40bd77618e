import { describeType, listMembers, type Member, type Type } from "./types";
import "./TypeTree.css";

/** A read-only view of a type with all its nested fields. */
export function TypeTree({ type, onChoose }: { readonly type: Type; readonly onChoose?: Choose }) {
  const members = listMembers(type);
  if (members.length === 0) return <span className="type-tree mono">{describeType(type)}</span>;
  return <Members members={members} path={[]} onChoose={onChoose} />;
}

/** Is told the path of a field that the user chose. */
type Choose = (path: readonly string[]) => void;

interface MembersProps {
  readonly members: readonly Member[];
  readonly path: readonly string[];
  readonly onChoose: Choose | undefined;
}

function Members({ members, path, onChoose }: MembersProps) {
  return (
    <ul className="type-tree mono">
      {members.map(({ name, type }, index) => {
        const inner = listMembers(type);
        return (
          <li key={index}>
            <span className="line">
              <Name name={name} onChoose={onChoose && (() => onChoose([...path, name]))} />{" "}
              <span className="quiet">{describeType(type)}</span>
            </span>
            {inner.length > 0 && <Members members={inner} path={[...path, name]} onChoose={onChoose} />}
          </li>
        );
      })}
    </ul>
  );
}

function Name({ name, onChoose }: { readonly name: string; readonly onChoose: (() => void) | undefined }) {
  if (onChoose === undefined) return <span>{name}</span>;
  return (
    <button type="button" className="field-name" title="Show where it comes from and goes to" onClick={onChoose}>
      {name}
    </button>
  );
}
