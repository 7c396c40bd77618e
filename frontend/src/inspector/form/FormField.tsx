import type { ComponentType } from "react";
import { ExpressionField } from "../expression/ExpressionField";
import { TopicField } from "../topic/TopicField";
import { TypeField } from "../type/TypeField";
import { FieldFrame } from "./FieldFrame";
import type { Field, Kind } from "./fields";
import { useForm, useIssuesAt } from "./FormContext";
import { valueAt } from "./paths";
import { ValueControl } from "./ValueControl";
import { RowsField } from "./RowsField";

interface Props {
  readonly field: Field;
}

/** Fields that bring more than a control. */
const WHOLE: Partial<Record<Kind, ComponentType<Props>>> = {
  rows: RowsField,
  topic: TopicField,
  expression: ({ field }) => <ExpressionField field={field} path={field.name} />,
  "declared-type": TypeField,
};

/** One field of a form, whatever its kind. */
export function FormField({ field }: Props) {
  const Whole = WHOLE[field.kind];
  if (Whole !== undefined) return <Whole field={field} />;
  if (field.kind === "fixed") return <FixedField field={field} />;
  return <PlainField field={field} />;
}

function PlainField({ field }: Props) {
  const { node, change } = useForm();
  const issues = useIssuesAt(field.name);
  return (
    <FieldFrame field={field} path={field.name} issues={issues} look={field.kind === "text" ? "above" : "beside"}>
      {(aria) => (
        <ValueControl
          field={field}
          path={field.name}
          value={valueAt(node.config, field.name)}
          change={(value) => change(field.name, value)}
          aria={aria}
        />
      )}
    </FieldFrame>
  );
}

/** There is but one choice yet: nothing to set, but good to know. */
function FixedField({ field }: Props) {
  return (
    <FieldFrame field={field} path={field.name} issues={useIssuesAt(field.name)} look="beside">
      {({ id }) => <output id={id}>{String(field.fallback)}</output>}
    </FieldFrame>
  );
}
