import { useCallback, useEffect, useRef, type KeyboardEvent } from "react";
import { followInJob, followRecord, stepThrough } from "../../api/calls";
import type { JobWay, FollowedWay, SteppedWay } from "../../api/types";
import { useResource } from "../../api/useResource";
import {
  findStepAfter,
  followThrough,
  showStep,
  showWay,
  stopFollowing,
  useFollowing,
  follow,
  type BatchStep,
  type FollowTarget,
} from "../../editor/interface/following";
import { describeBatch } from "../../editor/interface/past";
import { useCluster } from "../../editor/interface/useCluster";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useEditing, useInterfaceActions } from "../../editor/interface/useEditor";
import { formatPlace } from "../../inspector/facts/drops";
import { formatAmount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatLogTime } from "../../ui/text/content";
import { StepDetails } from "./StepDetails";
import { useOutcomes } from "./useOutcomes";
import "./Follow.css";

const JOB = "the job";
const TRIAL = "a trial";

/** The path of a record, step by step: nodes on the left, the events at one on the right. */
export function Follow({ target }: { readonly target: FollowTarget }) {
  const { store } = useEditing();
  const { job } = useDeployment();
  const cluster = useCluster();
  const lines = useFollowing((following) => following.lines);
  const through = useFollowing((following) => following.through) ?? (job === null ? "trial" : "job");
  const load = useCallback((): Promise<FollowedWay | JobWay | SteppedWay> => {
    if ("step" in target) {
      if (job === null) return Promise.reject(new Error("A batch has a job."));
      return stepThrough(job.id, target.step.batch, target.step.record, target.step.through);
    }
    if (job !== null && (through === "job" || "row" in target)) return followInJob(job.id, target);
    if ("row" in target) return Promise.reject(new Error("A row has a job."));
    return followRecord(store.getState().document, cluster, lines, target.record);
  }, [store, cluster, lines, target, job, through]);
  const { data, refusal } = useResource(load);
  useEffect(() => {
    if (data !== null) showWay(data);
  }, [data]);
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
  const at = inputs.findIndex(({ origin }) => way !== null && formatPlace(origin) === formatPlace(way.origin));
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
          onChange={({ target }) => goTo({ through: target.value === "draft" ? "draft" : "version" })}
        >
          <option value="version">the version of then</option>
          <option value="draft">the draft</option>
        </select>
      </label>
    </>
  );
}

function nameTarget(target: FollowTarget): string {
  if ("step" in target) return target.step.record === null ? "a batch" : formatPlace(target.step.record);
  return "record" in target ? formatPlace(target.record) : `${target.row.store} ${target.row.key}`;
}

/** The origin of the record. For a job also its batch, and how far back batches are known. */
function describeOrigin(target: FollowTarget, way: FollowedWay | JobWay | SteppedWay): string {
  if ("inputs" in way) return describeBatch(way);
  const input = formatPlace(way.origin);
  const came = nameTarget(target) === input ? "" : `Input: ${input}. `;
  if (!("time" in way)) return `${came}Arrow keys go from step to step.`;
  const batch = `Processed in the batch of ${formatLogTime(way.time)}, with ${formatAmount(way.records, "record")}.`;
  return `${came}${batch} The job keeps batches since ${formatLogTime(way.since)}.`;
}

function Steps() {
  const { steps, at } = useFollowing();
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
              <span className="quiet">{describe(one)[0] ?? ""}</span>
            </button>
          </li>
        ))}
      </ol>
      <StepDetails key={at} step={step} />
    </div>
  );
}
