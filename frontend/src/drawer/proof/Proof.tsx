import { useCallback, useState, type ReactNode } from "react";
import { fetchProof, listPins, makeCase, previewDeploy, startProof, stopProof } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import type { Proof as ProofOfJob, ProofDifference, ProofReport } from "../../api/types";
import { usePolling } from "../../api/usePolling";
import { follow } from "../../editor/interface/following";
import { lookAtProof, showProof, useProof } from "../../editor/interface/proving";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useDocument, useInterfaceActions } from "../../editor/interface/useEditor";
import { useSelectedNode } from "../../editor/interface/useSelectedNode";
import { formatRecordPlace } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { Notice, RefusalNotice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { useResource } from "../../api/useResource";
import { MakeCase, ShowCases } from "../records/MakeCase";
import {
  describeProgress,
  describeRebuilding,
  describeRebuilt,
  describeRepeated,
  explainEmpty,
  GRADES,
  isRunning,
  listDifferences,
  LIVE,
  MINUTES,
  nameCase,
  STATES,
} from "./proof";
import { Corrections } from "./Corrections";
import { PinButton, PinnedBatches } from "./Pins";
import "./Proof.css";

const LOOK_MS = 1_000;
/** Others may start a proof, too. */
const QUIET_MS = 5_000;
const NO_JOB = "Deploy the topology first. A proof compares the draft with the version that runs.";
const NONE =
  "Prove a change before it ships: the draft runs beside the job over the same records and the same state. " +
  "Its results are compared, and never written.";

const UNKNOWN = Promise.resolve(null);

/** The draft beside the running version: what differs, where it begins, and for which records. */
export function Proof() {
  const { job } = useDeployment();
  if (job === null) return <p className="nothing">{NO_JOB}</p>;
  return <ProofOf job={job.id} />;
}

function ProofOf({ job }: { readonly job: number }) {
  const { topology } = useDeployment();
  const why = useWhyNot("editor", topology.project);
  const whyNotCutOver = useWhyNot("operator", topology.project);
  const { ask } = useInterfaceActions();
  const saving = useDocument((editor) => editor.saving);
  const [minutes, setMinutes] = useState(10);
  const [live, setLive] = useState(0);
  const [rebuilds, setRebuilds] = useState<boolean | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { proof } = useProof();
  const { data: isKnown, reload } = useResource(useCallback(() => loadProof(job), [job]));
  usePolling(reload, isRunning(proof) ? LOOK_MS : QUIET_MS);
  const isSaved = saving.word === "saved";
  const whyRebuild = useWhyRebuild(topology.id, isSaved);
  const isRebuilt = rebuilds ?? whyRebuild !== null;
  const pins = useResource(useCallback(() => listPins(job), [job]));

  const act = async (request: Promise<ProofOfJob>) => {
    setBusy(true);
    setRefusal(null);
    try {
      showProof(job, await request);
    } catch (error) {
      setRefusal(toRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  const start = () => act(startProof(job, { version: null, minutes, live_seconds: live, is_rebuilt: isRebuilt }));
  return (
    <>
      <div className="controls">
        {isRunning(proof) ? (
          <Button icon="stop" isBusy={isBusy} why={why} onClick={() => void act(stopProof(job))}>
            End the proof
          </Button>
        ) : (
          <Button
            look="primary"
            isBusy={isBusy}
            why={why}
            disabled={!isSaved}
            onClick={() => void start()}
          >
            Prove the draft
          </Button>
        )}
        {proof?.report != null && proof.outdated === "" && (
          <Button icon="deploy" why={whyNotCutOver} onClick={() => ask("deploy")}>
            Cut over …
          </Button>
        )}
        <Choice label="over the last" options={MINUTES} value={minutes} choose={setMinutes} />
        <Choice label="then" options={LIVE} value={live} choose={setLive} />
        <Choice
          label="with state"
          options={STATES}
          value={Number(isRebuilt)}
          choose={(value) => setRebuilds(value === 1)}
        />
      </div>
      <p className="progress quiet number" role="status">
        {isBusy && !isRunning(proof) ? "Starting the proof …" : describeState(proof)}
      </p>
      {proof?.report != null && !isRunning(proof) && proof.outdated !== "" && (
        <p className="progress">{proof.outdated} Prove the draft before the next cut over.</p>
      )}
      {whyRebuild !== null && !isRunning(proof) && (
        <p className="rebuild">
          <Prose text={whyRebuild} />
        </p>
      )}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {proof?.failure != null && (
        <Notice tone="bad" title={proof.failure.message}>
          <p>
            <Prose text={proof.failure.hint} />
          </p>
        </Notice>
      )}
      {proof === null && isKnown && !isBusy && <p className="nothing">{NONE}</p>}
      {proof?.report != null && (
        <Report
          report={proof.report}
          aboutState={proof.outdated === "" ? proof.about_state : ""}
          job={job}
          pin={({ batch, origin }, note) =>
            pins.data !== null && (
              <PinButton job={job} batch={batch} note={note} record={origin} pins={pins.data} reload={pins.reload} />
            )
          }
        />
      )}
      {pins.data !== null && <PinnedBatches job={job} pins={pins.data} reload={pins.reload} />}
      <Corrections job={job} />
    </>
  );
}

/** Keeps the newest proof in the store: null if no change of the job was proved. */
async function loadProof(job: number): Promise<true> {
  await lookAtProof(job, fetchProof);
  return true;
}

/** Why the draft's state should be rebuilt. Null if a deploy would keep all stores, or it is not known yet. */
function useWhyRebuild(topology: number, isSaved: boolean): string | null {
  const load = useCallback(
    () => (isSaved ? previewDeploy({ topology }).then(({ state }) => explainEmpty(state)) : UNKNOWN),
    [topology, isSaved],
  );
  return useResource(load).data;
}

function describeState(proof: ProofOfJob | null): string {
  if (proof === null) return "";
  if (proof.report === null) return isRunning(proof) ? "Copying the state …" : "";
  const rebuilding = describeRebuilding(proof.report);
  if (rebuilding !== null) return `${isRunning(proof) ? "Rebuilding the state: " : "Rebuilt: "}${rebuilding}`;
  return isRunning(proof) ? `Comparing: ${describeProgress(proof.report)}` : describeProgress(proof.report, true);
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly (readonly [number, string])[];
  readonly value: number;
  readonly choose: (value: number) => void;
}

function Choice({ label, options, value, choose }: ChoiceProps) {
  return (
    <label className="choice">
      {label}
      <select value={value} onChange={({ target }) => choose(Number(target.value))}>
        {options.map(([amount, word]) => (
          <option key={amount} value={amount}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ReportProps {
  readonly report: ProofReport;
  /** With which state the draft takes over. Empty: as in a deploy. */
  readonly aboutState: string;
  readonly job: number;
  /** A button that pins a batch, with a note. */
  readonly pin: (difference: ProofDifference, note: string) => ReactNode;
}

function Report({ report, aboutState, job, pin }: ReportProps) {
  const node = useSelectedNode();
  const rebuilt = describeRebuilt(report);
  const differences = listDifferences(report, node);
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = differences.find((each) => makeKey(each) === chosen) ?? differences[0];
  return (
    <>
      <Notice tone={report.equal ? "info" : "warn"} title={report.sentence}>
        {[describeRepeated(report), rebuilt, aboutState, ...report.limits].filter(Boolean).map((line) => (
          <p key={line}>
            <Prose text={line} />
          </p>
        ))}
      </Notice>
      {report.count > 0 && shown === undefined && (
        <p className="nothing">No difference begins at {node}. Select another node, or none.</p>
      )}
      {shown !== undefined && (
        <div className="case-panes">
          <ul className="case-list" aria-label="Differences">
            {differences.map((each) => (
              <li key={makeKey(each)}>
                <button
                  type="button"
                  aria-current={each === shown ? "true" : undefined}
                  onClick={() => setChosen(makeKey(each))}
                >
                  <code className="case-name">
                    {each.topic ?? "dead letters"} {each.key}
                  </code>
                  <span className="quiet">{GRADES[each.grade]}</span>
                </button>
              </li>
            ))}
          </ul>
          <Details key={makeKey(shown)} difference={shown} job={job} pin={pin(shown, nameCase(shown))} />
        </div>
      )}
    </>
  );
}

function makeKey({ topic, key, at, batch }: ProofDifference): string {
  return `${topic ?? ""} ${key} ${at} ${batch}`;
}

interface DetailsProps {
  readonly difference: ProofDifference;
  readonly job: number;
  readonly pin: ReactNode;
}

/** One difference: its input record, and what both versions made of it, side by side. */
function Details({ difference, job, pin }: DetailsProps) {
  const { select } = useInterfaceActions();
  return (
    <section className="case-details proof-details" aria-label={`Difference at ${difference.at}`}>
      <div className="controls">
        <FollowBoth difference={difference} />
        <span>
          First node that differs:{" "}
          <button type="button" className="follow" onClick={() => select([difference.node])}>
            {difference.node}
          </button>
        </span>
        <TestCaseButton difference={difference} job={job} />
        {pin}
      </div>
      {difference.input !== null && (
        <pre className="input" aria-label="Input record">
          {JSON.stringify(difference.input.value, null, 1)}
        </pre>
      )}
      <div className="sides">
        <Side title="Running version" results={difference.old} fields={difference.fields} />
        <Side title="Draft" results={difference.new} fields={difference.fields} />
      </div>
    </section>
  );
}

/** The input record of a difference. A click follows it through both versions, or through the job without the right. */
function FollowBoth({ difference: { batch, origin } }: { readonly difference: ProofDifference }) {
  const { topology } = useDeployment();
  const { openDrawer } = useInterfaceActions();
  const isBoth = useWhyNot("editor", topology.project) === null;
  const through = isBoth ? "both versions" : "the job";
  const press = () => {
    follow(isBoth ? { step: { batch, record: origin, through: "both" } } : { record: origin });
    openDrawer("trial");
  };
  if (origin.topic === "") return <span className="quiet">The clock caused it, not a record.</span>;
  return (
    <button
      type="button"
      className="follow number"
      title={`Follow this record through ${through}`}
      aria-label={`Follow ${formatRecordPlace(origin)} through ${through}`}
      onClick={press}
    >
      {formatRecordPlace(origin)}
    </button>
  );
}

interface SideProps {
  readonly title: string;
  readonly results: ProofDifference["old"];
  readonly fields: readonly string[];
}

function Side({ title, results, fields }: SideProps) {
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      {results.length === 0 && <p className="quiet">No result.</p>}
      {results.map((result, index) => (
        <div key={index} className="result">
          <code className="key">{JSON.stringify(result.key)}</code>
          {result.reason != null && <p>{result.reason}</p>}
          <Value value={result.value} fields={fields} />
        </div>
      ))}
    </section>
  );
}

/** A value field by field. Those that differ stand out. */
function Value({ value, fields }: { readonly value: unknown; readonly fields: readonly string[] }) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return <code className={fields.includes("") ? "differs" : undefined}>{JSON.stringify(value)}</code>;
  }
  return (
    <dl>
      {Object.entries(value).map(([name, part]) => (
        <div key={name} className={fields.some((field) => isWithin(field, name)) ? "differs" : undefined}>
          <dt>{name}</dt>
          <dd>{JSON.stringify(part)}</dd>
        </div>
      ))}
    </dl>
  );
}

function isWithin(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}.`);
}

/** Makes it a test case, with what the running version makes of the fewest records that show it. */
function TestCaseButton({ difference, job }: { readonly difference: ProofDifference; readonly job: number }) {
  const { topology } = useDeployment();
  const { batch, at, topic, key, records } = difference;
  const make = () => makeCase(job, { case: nameCase(difference), batch, at, topic, key });
  return <MakeCase project={topology.project} disabled={records.length === 0} make={make} link={<ShowCases />} />;
}
