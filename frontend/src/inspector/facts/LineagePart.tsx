import { useCallback, useEffect } from "react";
import { traceField } from "../../api/calls";
import type { Graph } from "../../api/types";
import { useResource } from "../../api/useResource";
import { chooseField, showLineage, useLineage, type TracedField } from "../../editor/interface/lineage";
import { useContentKey } from "../../editor/interface/useContentKey";
import type { Document } from "../../api/types";
import { Button } from "../../ui/controls/Button";
import { LineageLists } from "./LineageLists";
import "./LineagePart.css";

const SETTLED_MS = 400;

/** Where the chosen field of this node comes from, and where it goes to. The canvas shows its way. */
export function LineagePart({ id, graph }: { readonly id: string; readonly graph: Graph }) {
  const field = useLineage((lineage) => lineage.field);
  useEffect(() => () => chooseField(null), [id]);
  return field?.node === id ? <Answer field={field} graph={graph} /> : null;
}

function Answer({ field, graph }: { readonly field: TracedField; readonly graph: Graph }) {
  const contentKey = useContentKey(graph, SETTLED_MS);
  const load = useCallback(
    async () => ({ field, lineage: await traceField(JSON.parse(contentKey) as Document, field) }),
    [contentKey, field],
  );
  const { data, refusal } = useResource(load);
  const lineage = data?.field === field ? data.lineage : null;
  useEffect(() => {
    if (lineage !== null) showLineage(lineage);
  }, [lineage]);
  const name = [field.part, ...field.path].join(".");
  return (
    <section className="lineage-part" aria-label={`Lineage of ${name}`}>
      <h4>
        <code>{name}</code>
        <Button onClick={() => chooseField(null)}>Close</Button>
      </h4>
      {refusal !== null && <p className="lead">{refusal.message}</p>}
      {lineage !== null && <LineageLists lineage={lineage} />}
    </section>
  );
}
