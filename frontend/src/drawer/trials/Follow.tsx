import { useCallback, useEffect, useRef, type KeyboardEvent } from "react";
import { followInJob, followRecord, stepThrough } from "../../api/calls";
import type { JobWay, FollowedWay, SteppedWay } from "../../api/types";
import { useResource } from "../../api/useResource";
import {
  differs,
  findStepAfter,
  followThrough,
  showBothWays,
  showStep,
  showWay,
  stopFollowing,
  useFollowing,
  follow,
  type BatchStep,
  type FollowTarget,
  type StepPair,
} from "../../editor/interface/following";
import { describeBatch } from "../../editor/interface/past";
import { useCluster } from "../../editor/interface/useCluster";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useEditing, useInterfaceActions } from "../../editor/interface/useEditor";
import { formatRecordPlace } from "../../ui/text/format";
import { formatAmount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatLogTime } from "../../ui/text/content";
import { StepDetails } from "./StepDetails";
import { useOutcomes } from "./useOutcomes";
import "./Follow.css";

type Way = FollowedWay | JobWay | SteppedWay;
/** The way of a record. Through both versions it has a second one, through the draft. */
type Ways = readonly [Way, SteppedWay?];

const JOB = "the job";
const TRIAL = "a trial";

/** The path of a record, step by step: nodes on the left, the events at one on the right. */
export function Follow({ target }: { readonly target: FollowTarget }) {
  const { store } = useEditing();
  const { job } = useDeployment();
  const cluster = useCluster();
  const lines = useFollowing((following) => following.lines);
  const through = useFollowing((following) => following.through) ?? (job === null ? "trial" : "job");
  const load = useCallback(async (): Promise<Ways> => {
    if ("step" in target) {
      if (job === null) throw new Error("A batch has a job.");
      const { batch, record, through } = target.step;
      if (through !== "both") return [await stepThrough(job.id, batch, record, through)];
      const version = await stepThrough(job.id, batch, record, "version");
      return [version, await stepThrough(job.id, batch, version.origin, "draft")];
    }
    if (job !== null && (through === "job" || "row" in target)) return [await followInJob(job.id, target)];
    if ("row" in target) throw new Error("A row has a job.");
    return [await followRecord(store.getState().document, cluster, lines, target.record)];
  }, [store, cluster, lines, target, job, through]);
  const { data: ways, refusal } = useResource(load);
  const data = ways?.[0] ?? null;
  useEffect(() => {
    if (ways === null) return;
    const [way, draft] = ways;
    if (draft === undefined) showWay(way);
    else showBothWays(way, draft);
  }, [ways]);
  return (
    <>
      <div className="controls">
        <span>
          Following <code>{nameTarget(target)}</code>
        </span>
        {"record" in target && lines === null && job !== null && (
          <label className="choice">
            through
            <select
              value={through === "job" ? JOB : TRIAL}
              onChange={({ target }) => followThrough(target.value === JOB ? "job" : "trial")}
            >
              <option>{JOB}</option>
              <option>{TRIAL}</option>
            </select>
          </label>
        )}
        {"step" in target && <StepChoice step={target.step} way={data} />}
        <Button onClick={stopFollowing}>Stop following</Button>
        <span className="remark number">{data === null ? "" : describeOrigin(target, data)}</span>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {refusal === null && data === null && <p className="nothing">Following …</p>}
      {refusal === null && data !== null && <Steps />}
    </>
  );
}

/** The record of a batch to step through, and the version to take. */
function StepChoice({ step, way }: { readonly step: BatchStep; readonly way: FollowedWay | SteppedWay | null }) {
  const inputs = way !== null && "inputs" in way ? way.inputs : [];
  const place = way === null ? null : formatRecordPlace(way.origin);
  const at = inputs.findIndex(({ origin }) => formatRecordPlace(origin) === place);
  const goTo = (change: Partial<BatchStep>) => follow({ step: { ...step, ...change } });
  const goBy = (by: number) => goTo({ record: inputs[at + by]?.origin ?? null });
  return (
    <>
      <Button disabled={at <= 0} onClick={() => goBy(-1)}>
        Record before
      </Button>
      <Button disabled={at < 0 || at >= inputs.length - 1} onClick={() => goBy(1)}>
        Next record
      </Button>
      {at >= 0 && <span className="number">{`${at + 1} of ${inputs.length}`}</span>}
      <label className="choice">
        through
        <select
          value={step.through}
          onChange={({ target }) => goTo({ through: target.value as BatchStep["through"] })}
        >
          <option value="version">the version at that time</option>
          <option value="draft">the draft</option>
          <option value="both">both, side by side</option>
        </select>
      </label>
    </>
  );
}

function nameTarget(target: FollowTarget): string {
  if ("step" in target) return target.step.record === null ? "a batch" : formatRecordPlace(target.step.record);
  return "record" in target ? formatRecordPlace(target.record) : `${target.row.store} ${target.row.key}`;
}

/** The origin of the record. For a job also its batch, and how far back batches are known. */
function describeOrigin(target: FollowTarget, way: Way): string {
  if ("inputs" in way) return describeBatch(way);
  const input = formatRecordPlace(way.origin);
  const came = nameTarget(target) === input ? "" : `Input: ${input}. `;
  if (!("time" in way)) return `${came}Arrow keys go from step to step.`;
  const batch = `Processed in the batch of ${formatLogTime(way.time)}, with ${formatAmount(way.records, "record")}.`;
  return `${came}${batch} The job keeps batches since ${formatLogTime(way.since)}.`;
}

function Steps() {
  const { steps, pairs, at } = useFollowing();
  const { select } = useInterfaceActions();
  const describe = useOutcomes();
  const list = useRef<HTMLOListElement>(null);
  const step = steps[at];
  const node = step?.node;
  useEffect(() => {
    if (node !== undefined) select([node]);
    list.current?.querySelector<HTMLElement>("[aria-current='step']")?.focus();
  }, [select, node, at]);
  const handleKey = (event: KeyboardEvent) => {
    const to = findStepAfter(event.key, at, steps.length);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    showStep(to);
  };
  if (step === undefined) return <p className="nothing">No node received this record.</p>;
  return (
    <div className="case-panes">
      <ol className="case-list way" aria-label="Steps of the record" ref={list} onKeyDown={handleKey}>
        {steps.map((one, index) => (
          <li key={index}>
            <button
              type="button"
              tabIndex={index === at ? 0 : -1}
              aria-current={index === at ? "step" : undefined}
              onClick={() => showStep(index)}
            >
              <code className="case-name">{one.node}</code>
              <span className="quiet">{comparePair(pairs?.[index]) ?? describe(one)[0] ?? ""}</span>
            </button>
          </li>
        ))}
      </ol>
      {pairs?.[at] === undefined ? <StepDetails key={at} step={step} /> : <Sides key={at} pair={pairs[at]} />}
    </div>
  );
}

/** What a list of steps says of a place on both ways. Null: both are the same there, or only one way is followed. */
function comparePair(pair: StepPair | undefined): string | null {
  if (pair === undefined || !differs(pair)) return null;
  if (pair.version === null) return "≠ only in the draft";
  return pair.draft === null ? "≠ only in the version at that time" : "≠ something else";
}

/** What both versions make of the record at one step. */
function Sides({ pair }: { readonly pair: StepPair }) {
  return (
    <div className="both-ways">
      <Side title="The version at that time" step={pair.version} />
      <Side title="The draft" step={pair.draft} isOfDraft />
    </div>
  );
}

function Side({ title, step, isOfDraft }: { title: string; step: StepPair["draft"]; isOfDraft?: boolean }) {
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      {step === null ? (
        <p className="quiet">The record does not come here.</p>
      ) : (
        <StepDetails step={step} {...(isOfDraft === undefined ? {} : { isOfDraft })} />
      )}
    </section>
  );
}
