import type { Cause } from "../../live/state";
import "./CauseDetails.css";

/** Where it happened: node, batch, offsets, and the traceback for programmers. */
export function CauseDetails({ cause }: { readonly cause: Cause }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ["Code", cause.code],
    ["Node", cause.node ?? null],
    ["Batch", cause.batch === null || cause.batch === undefined ? null : String(cause.batch)],
    ["Offsets", cause.offsets ? JSON.stringify(cause.offsets) : null],
  ];
  return (
    <details className="cause">
      <summary>Details</summary>
      <dl>
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ),
        )}
      </dl>
      {cause.traceback && <pre>{cause.traceback}</pre>}
    </details>
  );
}
