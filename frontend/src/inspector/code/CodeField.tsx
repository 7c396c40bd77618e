import { FieldFrame } from "../form/FieldFrame";
import type { Field } from "../form/fields";
import { useForm, useIssuesAt } from "../form/FormContext";
import { findValue, readText } from "../form/paths";
import { CodeBox } from "./CodeBox";

/** Python code of several lines. */
export function CodeField({ field }: { readonly field: Field }) {
  const { node, change } = useForm();
  const issues = useIssuesAt(field.name);
  const help = `${field.help} Tab indents. To leave the code, press Escape, then Tab.`.trim();
  return (
    <FieldFrame field={{ ...field, help }} path={field.name} issues={issues}>
      {(aria) => (
        <CodeBox
          text={readText(findValue(node.config, field.name))}
          change={(text) => change(field.name, text === "" ? undefined : text)}
          aria={aria}
        />
      )}
    </FieldFrame>
  );
}
