import { useEffect, useEffectEvent, useState } from "react";
import { Prose } from "../../ui/messages/Prose";
import { ExampleRecord } from "./ExampleRecord";
import { findTopicFormats } from "../../editor/graph/topicFormats";
import { useDocument } from "../../editor/interface/useEditor";
import { useForm, type TopicLook } from "../form/FormContext";
import "./ExampleRecords.css";

const EMPTY_POLL_MS = 3_000;

/** Looks again from time to time while a topic is empty, to show its first records. */
function useSecondLook(isEmpty: boolean, lookAgain: () => Promise<void>): void {
  const look = useEffectEvent(lookAgain);
  useEffect(() => {
    if (!isEmpty) return;
    const timer = window.setInterval(() => void look(), EMPTY_POLL_MS);
    return () => window.clearInterval(timer);
  }, [isEmpty]);
}

/** The newest records of the topic, the newest first. */
export function ExampleRecords({ look }: { readonly look: TopicLook }) {
  const { node } = useForm();
  const flows = useDocument(({ checkResult }) => checkResult?.nodes[node.id]);
  const formats = findTopicFormats(node, flows);
  const { examples, refusal, lookAgain } = look;
  const [isBusy, setBusy] = useState(false);
  useSecondLook(examples !== null && examples.messages.length === 0, lookAgain);
  const again = async () => {
    if (isBusy) return;
    setBusy(true);
    await lookAgain();
    setBusy(false);
  };
  const records = examples?.messages.toReversed() ?? [];
  return (
    <div className="examples">
      <div className="head">
        <span>Newest records</span>
        <button type="button" className="small-button" aria-disabled={isBusy || undefined} onClick={() => void again()}>
          Refresh
        </button>
      </div>
      {refusal !== null && (
        <p className="refusal">
          <Prose text={`${refusal.message} ${refusal.hint}`} />
        </p>
      )}
      {records.map((record) => (
        <ExampleRecord key={`${record.partition}:${record.offset}`} record={record} formats={formats} />
      ))}
      {examples === null && refusal === null && <p className="quiet">Reading …</p>}
      {examples !== null && records.length === 0 && <p className="quiet">The topic is empty.</p>}
    </div>
  );
}
