import { useCallback, useState } from "react";
import { whyOfJob, whyOfTrial } from "../../api/calls";
import { useWhyNot } from "../../api/rights";
import type { WhyAnswer } from "../../api/types";
import { useFetched } from "../../api/useFetched";
import { useDeployed } from "../../editor/interface/useDeployed";
import { useEditing, useInterfaceActions } from "../../editor/interface/useEditor";
import { Button } from "../../parts/controls/Button";
import { Notice, RefusalNotice } from "../../parts/messages/Notice";
import { Prose } from "../../parts/messages/Prose";
import { askWhy, useAsking, WHY } from "./asking";
import "./WhyPart.css";

/** Asks the job, or a trial where there is none, why nothing comes out of a node. */
export function WhyPart({ node }: { readonly node: string }) {
  const { job, topology } = useDeployed();
  const { node: asked, times } = useAsking();
  const [ofDraft, setOfDraft] = useState(0);
  const notTry = useWhyNot("editor", topology.project);
  const isTrial = job === null || ofDraft === times;
  return (
    <section className="part why-part" aria-label={WHY}>
      {asked === node && <Answered key={`${times} ${isTrial}`} node={node} job={isTrial ? null : job.id} />}
      <div className="buttons">
        <Button why={job === null ? notTry : null} onClick={() => askWhy(node)}>
          {asked === node ? "Ask again" : WHY}
        </Button>
        {asked === node && !isTrial && (
          <Button why={notTry} onClick={() => setOfDraft(times)}>
            Ask a trial of the draft
          </Button>
        )}
      </div>
    </section>
  );
}

function Answered({ node, job }: { readonly node: string; readonly job: number | null }) {
  const { store } = useEditing();
  const { cluster } = useDeployed();
  const load = useCallback(
    () => (job === null ? whyOfTrial(store.getState().document, node, cluster) : whyOfJob(job, node)),
    [store, node, job, cluster],
  );
  const { data, refusal } = useFetched(load);
  if (refusal !== null) return <RefusalNotice refusal={refusal} />;
  const waiting = job === null ? "Trying the newest records …" : "Asking the run …";
  if (data === null) return <p className="quiet">{waiting}</p>;
  return <Answer answer={data} asked={node} />;
}

/** What the answer is, where the records stay, and the next step. */
function Answer({ answer, asked }: { readonly answer: WhyAnswer; readonly asked: string }) {
  const { select } = useInterfaceActions();
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
      {answer.node !== asked && (
        <Button onClick={() => select([answer.node])}>
          Go to <code>{answer.node}</code>
        </Button>
      )}
    </Notice>
  );
}
