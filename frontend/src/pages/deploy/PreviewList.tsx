import type { ReactNode } from "react";
import type { Fate, Preview } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { Prose } from "../../ui/messages/Prose";
import { describeSpread } from "./spread";
import "./PreviewList.css";

const WORDS: Readonly<Record<Fate["fate"], string>> = {
  kept: "Kept",
  new: "New",
  reloaded: "Reloaded",
  starts_empty: "Starts empty",
  dropped: "Dropped",
  damaged: "Damaged",
};

/** The changes of a deploy, the result for each store with the choice below, and the topics it creates or spreads. */
export function PreviewList({ preview, children }: { readonly preview: Preview; readonly children?: ReactNode }) {
  return (
    <>
      <Changes preview={preview} />
      <Part name="State" below={children}>
        {preview.state.length === 0 && (
          <li className="quiet">{preview.job === null ? "No node keeps state." : "No state changes."}</li>
        )}
        {preview.state.map((fate) => (
          <li key={fate.store} className={`fate ${fate.fate}`}>
            <b>{WORDS[fate.fate]}</b>
            <code>{fate.node}</code>
            <span className="quiet">
              <Prose text={fate.why} />
            </span>
          </li>
        ))}
      </Part>
      <Part name="Topics">
        <li className="names">
          {preview.creates.length === 0
            ? "All topics exist."
            : `Creates ${formatAmount(preview.creates.length, "topic")}:`}
          {preview.creates.map((topic) => (
            <code key={topic}>{topic}</code>
          ))}
        </li>
        {preview.spread.map(describeSpread).map((words) => (
          <li key={words} className="quiet">
            <Prose text={words} />
          </li>
        ))}
      </Part>
    </>
  );
}

/** The differences of the graph from the last run. */
function Changes({ preview: { changes, bypassed } }: { readonly preview: Preview }) {
  const lines = (changes ?? "").split("\n").filter((line) => line !== "");
  return (
    <Part name="Changes">
      {changes === null && <li className="quiet">Nothing ran before: everything is new.</li>}
      {changes === "" && <li className="quiet">The graph has not changed since the last run.</li>}
      {lines.length > 0 && (
        <li>
          <pre className="change-lines" tabIndex={0} aria-label="What differs from the last run">
            {lines.map((line, index) => (
              <span key={index} className={SIGNS[line.charAt(0)]}>{`${line}\n`}</span>
            ))}
          </pre>
        </li>
      )}
      {bypassed.length > 0 && (
        <li className="names">
          Bypassed, so that records pass unchanged:
          {bypassed.map((node) => (
            <code key={node}>{node}</code>
          ))}
        </li>
      )}
    </Part>
  );
}

const SIGNS: Readonly<Record<string, string>> = { "+": "addition", "-": "removal" };

interface PartProps {
  readonly name: string;
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

function Part({ name, below, children }: PartProps) {
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <ul className="preview">{children}</ul>
      {below}
    </section>
  );
}
