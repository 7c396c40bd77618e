import { useCallback, useEffect, useMemo } from "react";
import { traceField } from "../../api/calls";
import type { Column, FieldLineage, Graph } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import { makeContentKey } from "../../editor/document/contentKey";
import { chooseField, showLineage, useLineage, type TracedField } from "../../editor/interface/lineage";
import { useDocument } from "../../editor/interface/useEditor";
import type { Document } from "../../api/types";
import "./LineagePart.css";

const SETTLED_MS = 400;

const HOW: Readonly<Record<string, string>> = {
  identity: "copied",
  transformation: "computed",
  aggregation: "over several records",
  filter: "filters",
  join: "joins",
  group_by: "groups",
  window: "chooses the window",
  conditional: "decides",
};

/** Where the chosen field of this node comes from, and where it goes to. The canvas shows its way. */
export function LineagePart({ id, graph }: { readonly id: string; readonly graph: Graph }) {
  const field = useLineage((lineage) => lineage.field);
  useEffect(() => () => chooseField(null), [id]);
  return field?.node === id ? <Answer field={field} graph={graph} /> : null;
}

function Answer({ field, graph }: { readonly field: TracedField; readonly graph: Graph }) {
  const schemas = useDocument(({ document }) => document.schemas);
  const contentKey = useStableValue(useMemo(() => makeContentKey({ graph, schemas }), [graph, schemas]), SETTLED_MS);
  const load = useCallback(() => traceField(JSON.parse(contentKey) as Document, field), [contentKey, field]);
  const { data, refusal } = useResource(load);
  useEffect(() => {
    if (data !== null) showLineage(data);
  }, [data]);
  const name = [field.part, ...field.path].join(".");
  return (
    <section className="lineage-part" aria-label={`Lineage of ${name}`}>
      <h4>
        <code>{name}</code>
        <button type="button" className="quiet" onClick={() => chooseField(null)}>
          Close
        </button>
      </h4>
      {refusal !== null && <p className="lead">{refusal.message}</p>}
      {data !== null && <Lists lineage={data} />}
    </section>
  );
}

function Lists({ lineage: { columns, influences, readers, results } }: { readonly lineage: FieldLineage }) {
  return (
    <dl>
      <dt>Comes from</dt>
      {columns.length === 0 && <dd className="quiet">no column: it is a constant or a count</dd>}
      {columns.map((column) => (
        <ColumnLine key={describeColumn(column)} column={column} />
      ))}
      {influences.length > 0 && <dt>These decide which records there are</dt>}
      {influences.map((column) => (
        <ColumnLine key={describeColumn(column)} column={column} />
      ))}
      <dt>Is read by</dt>
      {readers.length === 0 && <dd className="quiet">no later node</dd>}
      {readers.map(({ node, field }) => (
        <dd key={`${node} ${field}`}>
          <strong>{node}</strong> <span className="quiet">{field}</span>
        </dd>
      ))}
      <dt>Is written as</dt>
      {results.length === 0 && <dd className="quiet">nothing</dd>}
      {results.map((column) => (
        <ColumnLine key={describeColumn(column)} column={column} />
      ))}
    </dl>
  );
}

function ColumnLine({ column }: { readonly column: Column }) {
  return (
    <dd>
      <strong>{column.node}</strong> <code>{[column.part, ...column.path].join(".")}</code>{" "}
      <span className="quiet">{HOW[column.how] ?? column.how}</span>
    </dd>
  );
}

function describeColumn({ node, part, path }: Column): string {
  return [node, part, ...path].join(".");
}
