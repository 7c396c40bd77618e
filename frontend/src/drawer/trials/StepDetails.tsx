import { useState, type ReactNode } from "react";
import { findInputs, findInputsInJob } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { InputRecord, RecordInputs, Step } from "../../api/types";
import { useFollowing } from "../../editor/interface/following";
import { useCluster } from "../../editor/interface/useCluster";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useEditing } from "../../editor/interface/useEditor";
import { formatAmount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { formatRecordTime } from "../../ui/text/content";
import { Content } from "../records/Content";
import { formatWindow } from "../tables/rows";
import { FollowButton } from "./FollowButton";
import { useOutcomes } from "./useOutcomes";

type StepRecord = Omit<Step["record"], "old">;

interface Props {
  readonly step: Step;
  /** The job has no inputs for what the draft makes. */
  readonly isOfDraft?: boolean;
}

/** The events for a record at a node. */
export function StepDetails({ step, isOfDraft = false }: Props) {
  const outcome = useOutcomes()(step);
  return (
    <div className="case-details step" role="region" aria-label={`Step at ${step.node}`} aria-live="polite">
      {outcome.map((sentence) => (
        <p key={sentence} className="outcome">
          <Prose text={sentence} />
        </p>
      ))}
      <table className="records" aria-label="Record before and after">
        <thead>
          <tr>
            <th scope="col">{step.node}</th>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col">Time</th>
            {step.outputs.length > 0 && !isOfDraft && <th scope="col" aria-label="Made from" />}
          </tr>
        </thead>
        <tbody>
          <RecordLine word={step.port === null ? "read" : `in (${step.port})`} record={step.record} />
          {step.outputs.map(({ port, ...record }, index) =>
            isOfDraft ? (
              <RecordLine key={index} word={`out (${port})`} record={record} />
            ) : (
              <Output key={index} node={step.node} output={{ port, ...record }} />
            ),
          )}
        </tbody>
      </table>
      {step.rows.length > 0 && <Rows rows={step.rows} />}
      {step.met.length > 0 && <Inputs title="Inputs that wrote the rows it touched" inputs={step.met} />}
    </div>
  );
}

function RecordLine({ word, record, children }: { word: string; record: StepRecord; children?: ReactNode }) {
  return (
    <tr>
      <td>{word}</td>
      <td>
        <Content text={record.key} isBase64={false} />
        {record.window !== null && <span className="quiet number"> {formatWindow(record.window)}</span>}
      </td>
      <td>
        <Content text={record.value} isBase64={false} />
      </td>
      <td className="number">{formatRecordTime(record.timestamp)}</td>
      {children !== undefined && <td>{children}</td>}
    </tr>
  );
}

/** A record that leaves, and on request the inputs that made it. */
function Output({ node, output }: { readonly node: string; readonly output: Step["outputs"][number] }) {
  const { store } = useEditing();
  const cluster = useCluster();
  const { job } = useDeployment();
  const { origin, lines, through } = useFollowing();
  const [inputs, setInputs] = useState<RecordInputs | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { port, ...record } = output;
  const ask = () => {
    if (origin === null) return;
    setAsking(true);
    const output = { node, port, record };
    const request =
      job !== null && through !== "trial"
        ? findInputsInJob(job.id, origin, output)
        : findInputs(store.getState().document, cluster, lines, origin, output);
    request
      .then(setInputs, (error: unknown) => setRefusal(toRefusal(error)))
      .finally(() => setAsking(false));
  };
  return (
    <>
      <RecordLine word={`out (${port})`} record={record}>
        <Button isBusy={isAsking} onClick={ask}>
          Made from …
        </Button>
      </RecordLine>
      {(refusal !== null || inputs !== null) && (
        <tr className="details">
          <td colSpan={5}>
            {refusal !== null && <RefusalNotice refusal={refusal} />}
            {inputs !== null && <Inputs title={describeInputs(inputs)} inputs={[...inputs.inputs, ...inputs.unsure]} />}
          </td>
        </tr>
      )}
    </>
  );
}

function describeInputs({ inputs, unsure }: RecordInputs): string {
  const sure = `This output needs ${inputs.length === 1 ? "this record" : `each of these ${inputs.length} records`}.`;
  if (unsure.length === 0) return sure;
  return `${sure} The search timed out, so it may also need the ${formatAmount(unsure.length, "record")} below.`;
}

function Inputs({ title, inputs }: { readonly title: string; readonly inputs: readonly InputRecord[] }) {
  const lines = useFollowing((following) => following.lines);
  return (
    <section className="inputs" aria-label={title}>
      <p className="quiet">{title}</p>
      <ul>
        {inputs.map((input) => (
          <li key={Object.values(input.origin).join("/")}>
            <FollowButton origin={input.origin} lines={lines} />
            <Content text={input.key} isBase64={false} />
            <Content text={input.value} isBase64={false} />
            <span className="number quiet">{formatRecordTime(input.timestamp)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Rows of the node's store, before and after. */
function Rows({ rows }: { readonly rows: Step["rows"] }) {
  return (
    <table className="records" aria-label="Rows of the store">
      <thead>
        <tr>
          <th scope="col">Store</th>
          <th scope="col">Key</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <td>{row.store}</td>
            <td>
              <Content text={row.key} isBase64={false} />
              {row.window !== null && <span className="quiet number"> {formatWindow(row.window)}</span>}
            </td>
            <td>
              <StoredValue value={row.before} />
            </td>
            <td>
              <StoredValue value={row.after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function StoredValue({ value }: { readonly value: Step["rows"][number]["before"] }) {
  return value === null ? <i className="quiet">none</i> : <Content text={value.value} isBase64={false} />;
}
