import { FieldFrame } from "./FieldFrame";
import type { Field } from "./fields";
import { useForm, useIssuesAt } from "./FormContext";
import { findValue, readText } from "./paths";
import { joinFiles } from "./schemaFiles";
import "./SchemaField.css";

/** The text of a schema, typed, pasted or from files. The server parses it by the format beside it. */
export function SchemaField({ field }: { readonly field: Field }) {
  const { node, change } = useForm();
  const issues = useIssuesAt(field.name);
  const text = readText(findValue(node.config, field.name));
  const become = (text: string) => change(field.name, text.trim() === "" ? undefined : text);
  const read = async (files: FileList) => {
    const contents = await Promise.all(
      Array.from(files, async (file) => ({ name: file.webkitRelativePath || file.name, text: await file.text() })),
    );
    become(joinFiles(contents));
  };
  return (
    <FieldFrame field={field} path={field.name} issues={issues}>
      {(aria) => (
        <>
          <textarea
            className="schema-text"
            rows={Math.min(16, Math.max(4, text.split("\n").length))}
            spellCheck={false}
            autoComplete="off"
            placeholder={field.whenEmpty}
            value={text}
            onChange={({ target }) => become(target.value)}
            {...aria}
          />
          <label className="small-button schema-files">
            From files …
            <input
              type="file"
              multiple
              accept=".avsc,.json,.proto"
              aria-label={`${field.label} from files`}
              onChange={({ target }) => {
                if (target.files !== null) void read(target.files);
                target.value = "";
              }}
            />
          </label>
        </>
      )}
    </FieldFrame>
  );
}
