import { useCallback, useEffect, useRef, type KeyboardEvent } from "react";
import { followInJob, followRecord } from "../../api/calls";
import type { JobWay, FollowedWay } from "../../api/types";
import { useResource } from "../../api/useResource";
import {
  findStepAfter,
  followThrough,
  showStep,
  showWay,
  stopFollowing,
  useFollowing,
  type FollowTarget,
} from "../../editor/interface/following";
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
  const load = useCallback((): Promise<FollowedWay | JobWay> => {
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
        <Button onClick={stopFollowing}>Stop following</Button>
        <span className="remark number">{data === null ? "" : describeOrigin(target, data)}</span>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {refusal === null && data === null && <p className="nothing">Following …</p>}
      {refusal === null && data !== null && <Steps />}
    </>
  );
}

function nameTarget(target: FollowTarget): string {
  return "record" in target ? formatPlace(target.record) : `${target.row.store} ${target.row.key}`;
}

/** The origin of the record. For a job also its batch, and how far back batches are known. */
function describeOrigin(target: FollowTarget, way: FollowedWay | JobWay): string {
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
