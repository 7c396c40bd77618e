import { useId } from "react";
import { addKeyNode } from "../editor/edits/keying";
import { useDocumentActions, useEditing, useInterfaceActions } from "../editor/interface/useEditor";
import type { GraphEdge } from "../api/types";
import { quote } from "./expression/names";
import type { RecordSchema } from "../api/types";
import { listMembers } from "./type/types";

interface Props {
  readonly edge: GraphEdge;
  readonly schema: RecordSchema | null;
}

/** Joins and groups use the key: this makes a field the key, in one step. */
export function KeyBy({ edge, schema }: Props) {
  const id = useId();
  const { store, rules } = useEditing();
  const { edit } = useDocumentActions();
  const { select } = useInterfaceActions();
  const fields = schema?.value.type.kind === "struct" ? listMembers(schema.value.type) : [];
  if (fields.length === 0) return null;
  const keyBy = (field: string) => {
    const addition = addKeyNode(edge, quote(field), store.getState().document, rules);
    if (addition === null) return;
    edit(addition.edit);
    select([addition.id]);
  };
  return (
    <section className="part field">
      <div className="label">
        <label htmlFor={id}>Join or group by a field</label>
      </div>
      <div className="control">
        <select id={id} value="" onChange={({ target }) => keyBy(target.value)}>
          <option value="">Make it the key …</option>
          {fields.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
    </section>
  );
}
