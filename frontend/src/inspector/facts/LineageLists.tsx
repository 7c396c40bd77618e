import type { Column, FieldLineage } from "../../api/types";

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

/** The columns that a field comes from, the nodes that read it, and what is written of it. */
export function LineageLists({ lineage }: { readonly lineage: FieldLineage }) {
  const { columns, influences, readers, results, way, opaque, unknown } = lineage;
  if (way.length === 0) return <p className="lead">Not known: solve the problems of this node and those before it.</p>;
  return (
    <dl>
      {opaque.length > 0 && (
        <dd className="quiet unclear">
          Python of <strong>{opaque.join(", ")}</strong> may read anything that arrives there, so all of that counts.
        </dd>
      )}
      {unknown.length > 0 && (
        <dd className="quiet unclear">
          Not known behind <strong>{unknown.join(", ")}</strong>: solve the problems there first.
        </dd>
      )}
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
