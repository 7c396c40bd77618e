import type { ReactNode } from "react";
import type { Differences } from "../api/types";
import { nameVersion } from "../editor/comparing/comparing";
import type { VersionView } from "../editor/interface/interfaceStore";
import { makeEdgeKey } from "../editor/document/document";
import { nameSetting } from "../editor/checking/wording";
import { findTitle } from "../editor/edits/notes";
import { useInterfaceActions } from "../editor/interface/useEditor";
import { formatSpan } from "./form/durations";
import { WordDiff } from "./WordDiff";

/** A list of all differences. A click selects one on the canvas. */
export function Comparison({ versionView: { after, before, differences } }: { readonly versionView: VersionView }) {
  const isEqual = differences?.text === "";
  return (
    <>
      <header className="part">
        <h2 className="title">{nameVersion(after, true)}</h2>
        {before === null && <p className="lead">Read only. Select a node to see its settings.</p>}
        {before !== null && (
          <p className="lead">
            {isEqual ? "Does the same as" : "What changed since"} {nameVersion(before)}.
          </p>
        )}
      </header>
      {differences !== null && !isEqual && <Lists differences={differences} />}
    </>
  );
}

function Lists({ differences }: { readonly differences: Differences }) {
  const { added, removed, changed, edges_added, edges_removed, notes } = differences;
  return (
    <>
      <Part name="Changed" ids={changed.map(({ node }) => node)}>
        {(id) => <Fields fields={changed.find(({ node }) => node === id)?.fields ?? []} />}
      </Part>
      <Part name="Added" ids={added.map(({ id }) => id)} />
      <Part name="Removed" ids={removed.map(({ id }) => id)} />
      <EdgesList name="Added edges" edges={edges_added} />
      <EdgesList name="Removed edges" edges={edges_removed} />
      <Part name="Notes" ids={notes.map(({ note }) => note)} nameOf={(id) => nameNote(id, notes)}>
        {(id) => {
          const change = notes.find(({ note }) => note === id);
          return <WordDiff before={change?.before?.text} after={change?.after?.text} />;
        }}
      </Part>
    </>
  );
}

function nameNote(id: string, notes: Differences["notes"]): string {
  const { before = null, after = null } = notes.find(({ note }) => note === id) ?? {};
  const note = after ?? before;
  return note === null ? id : findTitle(note);
}

interface PartProps {
  readonly name: string;
  readonly ids: readonly string[];
  readonly nameOf?: (id: string) => string;
  readonly children?: (id: string) => ReactNode;
}

function Part({ name, ids, nameOf = (id) => id, children = () => null }: PartProps) {
  const { select } = useInterfaceActions();
  if (ids.length === 0) return null;
  return (
    <section className="part" aria-label={name}>
      <h3>{name}</h3>
      <ul className="changes-list">
        {ids.map((id) => (
          <li key={id}>
            <button type="button" className="link" onClick={() => select([id])}>
              {nameOf(id)}
            </button>
            {children(id)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function EdgesList({ name, edges }: { readonly name: string; readonly edges: Differences["edges_added"] }) {
  const { select } = useInterfaceActions();
  if (edges.length === 0) return null;
  return (
    <section className="part" aria-label={name}>
      <h3>{name}</h3>
      <ul className="changes-list">
        {edges.map((edge) => (
          <li key={makeEdgeKey(edge)}>
            <button type="button" className="link" onClick={() => select([], [makeEdgeKey(edge)])}>
              {edge.source} → {edge.target}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The fields of a node before and after. */
export function Fields({ fields }: { readonly fields: Differences["changed"][number]["fields"] }) {
  return fields.map(({ name, before, after }) => (
    <div key={name}>
      <h4>{nameSetting(name)}</h4>
      {name.endsWith("_ms") ? <SpanDiff before={before} after={after} /> : <WordDiff before={before} after={after} />}
    </div>
  ));
}

/** A time span before and after, as the form writes it. */
function SpanDiff({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  return (
    <p className="word-diff">
      {typeof before === "number" && <del>{formatSpan(before)}</del>}{" "}
      {typeof after === "number" && <ins>{formatSpan(after)}</ins>}
    </p>
  );
}
