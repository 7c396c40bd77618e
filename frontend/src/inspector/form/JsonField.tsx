import { FieldFrame } from "./FieldFrame";
import type { Field } from "./fields";
import { useForm, useIssuesAt } from "./FormContext";
import { formatJson, isJson, parseJson } from "./jsonText";
import { findValue } from "./paths";
import { useTypedText } from "./controls";
import "./JsonField.css";

/** A JSON text of several lines, such as an Avro schema. Fields with a JSON value ignore invalid text. */
export function JsonField({ field }: { readonly field: Field }) {
  const { node, change } = useForm();
  const issues = useIssuesAt(field.name);
  const value = findValue(node.config, field.name);
  const [text, type] = useTypedText(value, formatJson(value));
  const isWrong = text.trim() !== "" && !isJson(text);
  const become = (text: string) => {
    const next = parseJson(text, field.isObject, value);
    type(text, next);
    change(field.name, next);
  };
  return (
    <FieldFrame field={field} path={field.name} issues={issues}>
      {(aria) => (
        <>
          <textarea
            className="json-text"
            rows={Math.min(16, Math.max(4, text.split("\n").length))}
            spellCheck={false}
            autoComplete="off"
            placeholder={field.whenEmpty}
            value={text}
            onChange={({ target }) => become(target.value)}
            {...aria}
            aria-invalid={isWrong || aria["aria-invalid"]}
          />
          {isWrong && issues.length === 0 && (
            <p className="json-wrong" role="status">
              Not valid JSON.
            </p>
          )}
        </>
      )}
    </FieldFrame>
  );
}
