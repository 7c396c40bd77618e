import type { ComponentType } from "react";
import { CodeField } from "../code/CodeField";
import { ExpressionField } from "../expression/ExpressionField";
import { TopicField } from "../topic/TopicField";
import { TypeField } from "../type/TypeField";
import { FieldFrame, PlainField } from "../form/FieldFrame";
import type { Field, Kind, FieldView, Values } from "../form/fields";
import { useForm, useIssuesAt } from "../form/FormContext";
import { SchemaField } from "../form/SchemaField";
import { findValue } from "../form/paths";
import { RowsField } from "./RowsField";

interface DrawnProps {
  readonly view: FieldView;
  readonly values: Values;
}

/** A field. If it does not apply, says that its value has no effect. */
export function DrawnField({ view: { field, isUsed }, values }: DrawnProps) {
  const { change } = useForm();
  if (isUsed) return <FormField field={field} values={values} />;
  return (
    <div className="unused-field">
      <FormField field={field} values={values} />
      <p className="unused-note">
        Not used with the current settings.{" "}
        <button
          type="button"
          className="small-button"
          aria-label={`Clear ${field.label}`}
          onClick={() => change(field.name, undefined)}
        >
          Clear
        </button>
      </p>
    </div>
  );
}

interface Props {
  /** The name is the path: a field of a row is `functions.0.name`. */
  readonly field: Field;
  /** Values of the fields around it. */
  readonly values: Values;
}

/** Fields with more than a control. */
const WHOLE: Partial<Record<Kind, ComponentType<Props>>> = {
  rows: ListField,
  values: ListField,
  code: CodeField,
  schema: SchemaField,
  topic: TopicField,
  expression: ({ field }) => <ExpressionField field={field} path={field.name} />,
  "declared-type": TypeField,
};

/** One field of a form, of any kind. */
function FormField({ field, values }: Props) {
  const Whole = WHOLE[field.kind];
  if (Whole !== undefined) return <Whole field={field} values={values} />;
  if (field.kind === "fixed") return <FixedField field={field} />;
  return <NodeField field={field} />;
}

/** Rows draw their fields like the form around them, so the list gets the component for it. */
function ListField(props: Props) {
  return <RowsField {...props} Inner={DrawnField} />;
}

function NodeField({ field }: Pick<Props, "field">) {
  const { node, change } = useForm();
  const issues = useIssuesAt(field.name);
  const value = findValue(node.config, field.name);
  return <PlainField field={field} issues={issues} value={value} change={(value) => change(field.name, value)} />;
}

/** There is only one choice so far: nothing to set, but useful to know. */
function FixedField({ field }: Pick<Props, "field">) {
  return (
    <FieldFrame field={field} path={field.name} issues={useIssuesAt(field.name)} look="beside">
      {({ id }) => <output id={id}>{String(field.fallback)}</output>}
    </FieldFrame>
  );
}
