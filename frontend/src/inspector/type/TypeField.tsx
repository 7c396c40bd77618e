import type { RecordSchema } from "../../api/types";
import { FieldFrame } from "../form/FieldFrame";
import type { Field } from "../form/fields";
import { useForm, useIssuesAt } from "../form/FormContext";
import { findValue } from "../form/paths";
import { MemberRows } from "./MemberRows";
import { describeType, holdsItems, type Type } from "./types";
import { KindSelect } from "./KindSelect";
import "./TypeField.css";

/** The declared type of a source's keys or values. If empty, the examples decide. */
export function TypeField({ field }: { readonly field: Field }) {
  const { node, topic, change } = useForm();
  const issues = useIssuesAt(field.name);
  const type = findValue(node.config, field.name) as Type | undefined;
  const sampleType = findSampleType(field.name, topic.examples?.inferred);
  const become = (type: Type | undefined) => change(field.name, type);
  const isDifferent = sampleType !== null && JSON.stringify(sampleType) !== JSON.stringify(type);

  return (
    <FieldFrame field={field} path={field.name} issues={issues} look="beside">
      {(aria) => (
        <>
          <KindSelect
            kind={type?.kind ?? null}
            before={type}
            empty={field.whenEmpty}
            change={become}
            remove={() => become(undefined)}
            aria={aria}
          />
          <div className="type-field">
            {type !== undefined && (type.kind === "struct" || holdsItems(type.kind)) ? (
              <details>
                <summary>{describeType(type)}</summary>
                <MemberRows type={type} change={become} of={field.label} />
              </details>
            ) : null}
            {type?.kind === "decimal" && <MemberRows type={type} change={become} of={field.label} />}
            {(isDifferent || type !== undefined) && (
              <p className="buttons">
                {isDifferent && (
                  <button type="button" className="small-button" onClick={() => become(sampleType)}>
                    Use the topic’s fields
                  </button>
                )}
                {type !== undefined && (
                  <button type="button" className="small-button" onClick={() => become(undefined)}>
                    Clear
                  </button>
                )}
              </p>
            )}
          </div>
        </>
      )}
    </FieldFrame>
  );
}

/** `key_type` is the type of an example's key. */
function findSampleType(field: string, schema: RecordSchema | undefined): Type | null {
  if (schema === undefined) return null;
  return field.startsWith("key") ? schema.key.type : schema.value.type;
}
