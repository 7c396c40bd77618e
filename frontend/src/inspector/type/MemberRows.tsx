import { Icon } from "../../ui/icons/Icon";
import { RowButton } from "../form/RowButtons";
import { DigitsRow } from "./DigitsRow";
import { KindSelect } from "./KindSelect";
import { addMember, holdsItems, withMember, withoutMember, type Member, type Type } from "./types";

interface Props {
  readonly type: Type;
  readonly change: (type: Type) => void;
  /** The accessible name of the type's owner: "Value type address". */
  readonly of: string;
}

/** The contents of a type: the fields of a struct, the items of a list, the values of a map, a decimal's digits. */
export function MemberRows({ type, change, of }: Props) {
  if (holdsItems(type.kind)) return <ItemRows type={type} change={change} of={of} />;
  if (type.kind === "decimal") return <DigitsRow type={type} change={change} of={of} />;
  if (type.kind !== "struct") return null;
  const members = type.fields ?? [];
  return (
    <div className="members">
      {members.map((member, index) => (
        <MemberRow
          key={index}
          member={member}
          change={(member) => change(withMember(type, index, member))}
          remove={() => change(withoutMember(type, index))}
          of={`${of} ${member.name || index + 1}`}
        />
      ))}
      <button type="button" className="small-button" onClick={() => change(addMember(type))}>
        <Icon name="add" size={12} />
        Add field
      </button>
    </div>
  );
}

interface MemberProps {
  readonly member: Member;
  readonly change: (member: Member) => void;
  readonly remove: () => void;
  readonly of: string;
}

/** The button comes last in the order of Tab, so that Enter after a kind does not remove the field. */
function MemberRow({ member, change, remove, of }: MemberProps) {
  const become = (type: Type) => change({ ...member, type });
  return (
    <div className="member">
      <div className="line">
        <input
          type="text"
          spellCheck={false}
          placeholder="name"
          aria-label={`Name of ${of}`}
          value={member.name}
          onChange={({ target }) => change({ ...member, name: target.value })}
        />
        <TypeKind type={member.type} change={become} of={of} />
      </div>
      <MemberRows type={member.type} change={become} of={of} />
      <RowButton label={`Remove ${of}`} icon="close" press={remove} />
    </div>
  );
}

function ItemRows({ type, change, of }: Props) {
  const item = type.item ?? { kind: "any" };
  const become = (item: Type) => change({ ...type, item });
  const contents = type.kind === "map" ? "values" : "items";
  return (
    <div className="members">
      <div className="line">
        <span className="quiet">{contents}</span>
        <TypeKind type={item} change={become} of={`the ${contents} of ${of}`} />
      </div>
      <MemberRows type={item} change={become} of={of} />
    </div>
  );
}

function TypeKind({ type, change, of }: Props) {
  return <KindSelect kind={type.kind} before={type} change={change} aria={{ "aria-label": `Kind of ${of}` }} />;
}
