import { useEffect, useId, useRef, useState } from "react";
import { rename } from "../editor/document/document";
import { checkId } from "../editor/document/naming";
import { useDocument, useDocumentActions } from "../editor/interface/useEditor";

interface Props {
  readonly id: string;
  /** Only for a temporary field: called at the end with the present name. */
  readonly onFinish?: (name: string) => void;
}

/** A field for a node's name. Enter or leaving it takes a valid name, Escape restores the old one. */
export function NameField({ id, onFinish }: Props) {
  const { edit } = useDocumentActions();
  const nodes = useDocument((editor) => editor.document.graph.nodes);
  const [typed, setTyped] = useState<string | null>(null);
  const problem = useId();
  const input = useRef<HTMLInputElement>(null);
  const isBrief = onFinish !== undefined;
  useEffect(() => {
    if (isBrief) input.current?.select();
  }, [isBrief]);
  const text = typed ?? id;
  const wrong = text === id ? null : checkId(text, id, nodes);

  const commit = () => {
    if (wrong !== null) return;
    setTyped(null);
    if (text !== id) edit(rename(id, text));
  };
  const finish = () => onFinish?.(wrong === null ? text : id);
  return (
    <div className="name-field">
      <input
        ref={input}
        type="text"
        aria-label="Name"
        spellCheck={false}
        autoComplete="off"
        value={text}
        aria-invalid={wrong !== null || undefined}
        aria-describedby={wrong === null ? undefined : problem}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => {
          commit();
          finish();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Enter" && wrong === null) finish();
          if (event.key !== "Escape") return;
          setTyped(null);
          onFinish?.(id);
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
