import { useId, useState } from "react";
import { rename } from "../editor/document";
import { wrongId } from "../editor/naming";
import { useDocument, useDocumentActions, useInterfaceActions } from "../editor/useEditor";

/** A node's name, changed where it stands: Enter or leaving it takes a right name, Escape takes the old one back. */
export function NameField({ id }: { readonly id: string }) {
  const { edit } = useDocumentActions();
  const { select } = useInterfaceActions();
  const nodes = useDocument((editor) => editor.document.graph.nodes);
  const [typed, setTyped] = useState({ id, text: id });
  const problem = useId();
  const text = typed.id === id ? typed.text : id;
  const wrong = text === id ? null : wrongId(text, id, nodes);

  const commit = () => {
    if (text === id || wrong !== null) return;
    setTyped({ id: text, text });
    edit(rename(id, text));
    select([text]);
  };
  return (
    <div className="name-field">
      <input
        type="text"
        aria-label="Name"
        spellCheck={false}
        autoComplete="off"
        value={text}
        aria-invalid={wrong !== null || undefined}
        aria-describedby={wrong === null ? undefined : problem}
        onChange={({ target }) => setTyped({ id, text: target.value })}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape") setTyped({ id, text: id });
        }}
      />
      {wrong !== null && (
        <p id={problem} role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
