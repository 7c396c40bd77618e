import type { Fate, Preview } from "../../api/types";
import { countOf } from "../../numbers/format";
import { Prose } from "../../parts/Prose";
import { spreadWords } from "./spread";
import "./PreviewList.css";

const WORDS: Readonly<Record<Fate["fate"], string>> = {
  kept: "Kept",
  new: "New",
  reloaded: "Reloaded",
  starts_empty: "Starts empty",
  dropped: "Dropped",
  damaged: "Damaged",
};

/** What a deploy would create, over how many tasks joined topics are spread, and what becomes of each store. */
export function PreviewList({ preview }: { readonly preview: Preview }) {
  return (
    <ul className="preview">
      <li className="named">
        {preview.creates.length === 0
          ? "All topics exist."
          : `Creates ${countOf(preview.creates.length, "topic")}:`}
        {preview.creates.map((topic) => (
          <code key={topic}>{topic}</code>
        ))}
      </li>
      {preview.bypassed.length > 0 && (
        <li className="named">
          Bypassed, so that records pass unchanged:
          {preview.bypassed.map((node) => (
            <code key={node}>{node}</code>
          ))}
        </li>
      )}
      {preview.spread.map(spreadWords).map((words) => (
        <li key={words} className="quiet">
          <Prose text={words} />
        </li>
      ))}
      {preview.state.length === 0 && preview.job !== null && <li className="quiet">No state changes.</li>}
      {preview.state.map((fate) => (
        <li key={fate.store} className={`fate ${fate.fate}`}>
          <b>{WORDS[fate.fate]}</b>
          <code>{fate.node}</code>
          <span className="quiet">
            <Prose text={fate.why} />
          </span>
        </li>
      ))}
    </ul>
  );
}
