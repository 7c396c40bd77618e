import { useCallback, useEffect, useRef, type KeyboardEvent } from "react";
import { followRecord as fetchWay } from "../../api/calls";
import { useFetched } from "../../api/useFetched";
import {
  fateOf,
  goToStep,
  showSteps,
  stepAfter,
  stopFollowing,
  useFollowing,
  type Origin,
} from "../../editor/following";
import { useCluster } from "../../editor/useCluster";
import { useEditing, useInterface, useInterfaceActions } from "../../editor/useEditor";
import { placeOf } from "../../inspector/facts/drops";
import { Button } from "../../parts/Button";
import { RefusalNotice } from "../../parts/Notice";
import { StepDetails } from "./StepDetails";
import "./Follow.css";

/** The way of a record, step by step: on the left the nodes, on the right what happens there. */
export function Follow({ origin }: { readonly origin: Origin }) {
  const { store } = useEditing();
  const cluster = useCluster();
  const lines = useInterface((editor) => editor.ownRecords);
  const load = useCallback(
    () => fetchWay(store.getState().document, cluster, lines, origin),
    [store, cluster, lines, origin],
  );
  const { data, refusal } = useFetched(load);
  useEffect(() => {
    if (data !== null) showSteps(data.steps);
  }, [data]);
  useEffect(() => stopFollowing, []);
  return (
    <>
      <div className="controls">
        <span>
          Following <code>{placeOf(origin)}</code>
        </span>
        <Button onClick={stopFollowing}>Back to the trial</Button>
        <span className="told">Arrow keys go from step to step.</span>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {refusal === null && data === null && <p className="nothing">Following …</p>}
      {refusal === null && data !== null && <Steps />}
    </>
  );
}

function Steps() {
  const { steps, at } = useFollowing();
  const { select } = useInterfaceActions();
  const list = useRef<HTMLOListElement>(null);
  const step = steps[at];
  const node = step?.node;
  useEffect(() => {
    if (node !== undefined) select([node]);
    list.current?.querySelector<HTMLElement>("[aria-current='step']")?.focus();
  }, [select, node, at]);
  const pressed = (event: KeyboardEvent) => {
    const to = stepAfter(event.key, at, steps.length);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    goToStep(to);
  };
  if (step === undefined) return <p className="nothing">The record comes to no node.</p>;
  return (
    <div className="case-panes">
      <ol className="case-list way" aria-label="Steps of the record" ref={list} onKeyDown={pressed}>
        {steps.map((one, index) => (
          <li key={index}>
            <button
              type="button"
              tabIndex={index === at ? 0 : -1}
              aria-current={index === at ? "step" : undefined}
              onClick={() => goToStep(index)}
            >
              <code className="case-name">{one.node}</code>
              <span className="quiet">{fateOf(one)[0] ?? ""}</span>
            </button>
          </li>
        ))}
      </ol>
      <StepDetails key={at} step={step} />
    </div>
  );
}
