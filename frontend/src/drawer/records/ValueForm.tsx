import { parseMembers } from "../../ui/text/json";
import { withMember } from "./sending";
import type { Type } from "../../api/types";
import { listFields, readField, writeField, type FormField } from "./valueFields";

interface Props {
  /** The value as JSON. The form edits this text. */
  readonly text: string;
  /** The type of the topic's values in its schema. */
  readonly type: Type | undefined;
  readonly change: (text: string) => void;
}

/** One row per field of a struct. Fields with several values are typed as JSON. */
export function ValueForm({ text, type, change }: Props) {
  const members = parseMembers(text);
  return (
    <div className="value-form">
      {listFields(type).map((field) => (
        <label key={field.name}>
          <span>
            <code>{field.name}</code> <small className="quiet">{field.kind}</small>
          </span>
          <FieldInput
            field={field}
            value={readField(field, members.get(field.name))}
            change={(input) => change(withMember(text, field.name, writeField(field, input)))}
          />
        </label>
      ))}
    </div>
  );
}

interface InputProps {
  readonly field: FormField;
  readonly value: string;
  readonly change: (input: string) => void;
}

function FieldInput({ field, value, change }: InputProps) {
  if (field.kind === "boolean") {
    return (
      <select value={value} onChange={({ target }) => change(target.value)}>
        <option value="">null</option>
        <option>true</option>
        <option>false</option>
      </select>
    );
  }
  return <input value={value} placeholder="null" onChange={({ target }) => change(target.value)} />;
}
