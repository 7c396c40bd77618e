import { formatSpan } from "../form/durations";
import { TypeTree } from "../type/TypeTree";
import type { RecordSchema, RecordSide, RecordWindow } from "../../api/types";
import { describeType, holdsItems } from "../type/types";
import "./SchemaView.css";

interface Props {
  readonly schema: RecordSchema | null;
  /** Is told the field that the user chose, if fields can be chosen. */
  readonly onChoose?: (part: "key" | "value", path: readonly string[]) => void;
}

/** Key and value of the records at a place: their formats and fields. */
export function SchemaView({ schema, onChoose }: Props) {
  if (schema === null) return <p className="lead">The fields of these records are not known yet.</p>;
  return (
    <dl className="schema-view">
      <SideView name="Key" side={schema.key} onChoose={onChoose && ((path) => onChoose("key", path))} />
      {schema.window !== null && (
        <div>
          <dt>Window</dt>
          <dd className="number">{describeWindow(schema.window)}</dd>
        </div>
      )}
      <SideView name="Value" side={schema.value} onChoose={onChoose && ((path) => onChoose("value", path))} />
    </dl>
  );
}

interface SideProps {
  readonly name: string;
  readonly side: RecordSide;
  readonly onChoose: ((path: readonly string[]) => void) | undefined;
}

function SideView({ name, side, onChoose }: SideProps) {
  const hasFields = ["struct", "union"].includes(side.type.kind) || holdsItems(side.type.kind);
  return (
    <div>
      <dt>
        {onChoose === undefined ? (
          name
        ) : (
          <button
            type="button"
            className="field-name"
            title="Show where it comes from and goes to"
            onClick={() => onChoose([])}
          >
            {name}
          </button>
        )}{" "}
        <span className="mono">{describeType(side.type)}</span>
        <span className="format">as {side.format}</span>
      </dt>
      {hasFields && (
        <dd>
          <TypeTree type={side.type} {...(onChoose === undefined ? {} : { onChoose })} />
        </dd>
      )}
    </div>
  );
}

/** For a key (key, window): the window's length and its time for late records. */
function describeWindow({ kind, size_ms, grace_ms, calendar }: RecordWindow): string {
  const size = kind === "unlimited" ? kind : `${formatSpan(size_ms)} long`;
  const length = calendar ? describeCalendar(calendar) : size;
  return grace_ms > 0 ? `${length}, grace ${formatSpan(grace_ms)}` : length;
}

function describeCalendar({ unit, count, zone }: NonNullable<RecordWindow["calendar"]>): string {
  return `${count === 1 ? `a ${unit}` : `${count} ${unit}s`} in ${zone}`;
}
