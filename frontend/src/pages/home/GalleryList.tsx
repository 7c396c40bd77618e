import { useState } from "react";
import type { Application, GraphNode } from "../../api/types";
import type { Operators } from "../../api/useOperators";
import { summarize } from "../../canvas/nodes/summarize";
import { Picture } from "./Picture";
import { Button } from "../../ui/controls/Button";
import { Chips } from "../../ui/controls/Chips";
import { Search } from "../../ui/controls/Search";
import { ALL, countPurposes, findApplications, formatRecord, type Purpose } from "./gallery";
import "./GalleryList.css";

interface Props {
  readonly applications: readonly Application[];
  readonly operators: Operators;
  readonly isBusy: boolean;
  readonly choose: (application: Application) => void;
  readonly run: (application: Application) => void;
  /** Why the user may not run any of them, and the next step. */
  readonly whyNotRun: string | null;
}

/** Applications to start from, by purpose, each with its picture, its help, and its results for five records. */
export function GalleryList({ applications, operators, isBusy, choose, run, whyNotRun }: Props) {
  const wordOf = (node: GraphNode) => summarize(node, operators.get(node.operator));
  const [search, setSearch] = useState("");
  const [purpose, setPurpose] = useState<Purpose>(ALL);
  const matches = findApplications(applications, search);
  const choices = matches.filter((application) => purpose === ALL || application.purpose === purpose);
  return (
    <div className="gallery">
      <Search label="Search applications" value={search} change={setSearch} hasKey={false} takesWords />
      <Chips label="Purpose" chips={countPurposes(matches)} current={purpose} choose={setPurpose} />
      {choices.length === 0 && <p className="quiet">{NONE}</p>}
      <ul aria-label="Applications">
        {choices.map((application) => (
          <li key={application.id}>
            <button type="button" className="application" disabled={isBusy} onClick={() => choose(application)}>
              <span className="graph">
                <Picture graph={application.graph} operators={operators} wordOf={wordOf} />
              </span>
              <span className="text">
                <strong>{application.name}</strong>
                <small>{application.about}</small>
              </span>
            </button>
            <div className="below">
              <Example application={application} />
              <Button
                isBusy={isBusy}
                why={whyNotRun ?? (application.why_not_run || null)}
                onClick={() => run(application)}
              >
                Run with sample data
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

const NONE = "No example matches. Clear the search, choose another purpose, or begin with an empty topology.";

/** The engine's input and output. */
function Example({ application: { name, records, results } }: { readonly application: Application }) {
  return (
    <details className="example">
      <summary aria-label={`Example of ${name}`}>Example</summary>
      <div>
        <Records title="In" records={records} />
        <Records title="Out" records={results} />
      </div>
    </details>
  );
}

interface RecordsProps {
  readonly title: string;
  readonly records: Application["records"];
}

function Records({ title, records }: RecordsProps) {
  return (
    <section>
      <h3>{title}</h3>
      <ol>
        {records.map((record, index) => (
          <li key={index}>
            <code>{record.topic}</code> <span className="mono">{formatRecord(record)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
