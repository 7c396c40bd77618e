import { useCallback, useState } from "react";
import { explainNodeOfJob, explainNodeOfTrial } from "../../api/calls";
import { useWhyNot } from "../../api/rights";
import type { WhyAnswer } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useEditing, useInterfaceActions } from "../../editor/interface/useEditor";
import { useLive } from "../../live/LiveContext";
import { Button } from "../../ui/controls/Button";
import { Notice, RefusalNotice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { askWhy, lacksResults, useAsking, WHY } from "./asking";
import "./WhyPart.css";

/** Asks why nothing comes out of a node: offered where that is so while the job runs, and after a question. */
export function WhyPart({ node }: { readonly node: string }) {
  const { job, topology } = useDeployment();
  const { node: target, times } = useAsking();
  const [ofDraft, setOfDraft] = useState(0);
  const notTry = useWhyNot("editor", topology.project);
  const isDry = useLive(({ state }) => lacksResults(state, node));
  if (!isDry && target !== node) return null;
  const isTrial = job === null || ofDraft === times;
  return (
    <section className="part why-part" aria-label={WHY}>
      {target === node && <NodeAnswer key={`${times} ${isTrial}`} node={node} job={isTrial ? null : job.id} />}
      <div className="buttons">
        <Button why={job === null ? notTry : null} onClick={() => askWhy(node)}>
          {target === node ? "Ask again" : WHY}
        </Button>
        {target === node && !isTrial && (
          <Button why={notTry} onClick={() => setOfDraft(times)}>
            Check the draft with a trial
          </Button>
        )}
      </div>
    </section>
  );
}

function NodeAnswer({ node, job }: { readonly node: string; readonly job: number | null }) {
  const { store } = useEditing();
  const { cluster } = useDeployment();
  const load = useCallback(
    () => (job === null ? explainNodeOfTrial(store.getState().document, node, cluster) : explainNodeOfJob(job, node)),
    [store, node, job, cluster],
  );
  const { data, refusal } = useResource(load);
  if (refusal !== null) return <RefusalNotice refusal={refusal} />;
  const waiting = job === null ? "Trying the newest records …" : "Asking the run …";
  if (data === null) return <p className="quiet">{waiting}</p>;
  return <Answer answer={data} target={node} isOfJob={job !== null} />;
}

interface AnswerProps {
  readonly answer: WhyAnswer;
  readonly target: string;
  readonly isOfJob: boolean;
}

/** The answer, the place where records stop, and the next step. */
function Answer({ answer, target, isOfJob }: AnswerProps) {
  const { select, openDrawer } = useInterfaceActions();
  const showDeadLetters = () => {
    select([answer.node]);
    openDrawer("letters");
  };
  return (
    <Notice tone="info" title={answer.text}>
      {answer.also.map((text) => (
        <p key={text}>
          <Prose text={text} />
        </p>
      ))}
      {answer.hint !== "" && (
        <p className="quiet">
          <Prose text={answer.hint} />
        </p>
      )}
      {isOfJob && answer.code === "errors" && <Button onClick={showDeadLetters}>Show its dead letters</Button>}
      {answer.node !== target && (
        <Button onClick={() => select([answer.node])}>
          Go to <code>{answer.node}</code>
        </Button>
      )}
    </Notice>
  );
}
