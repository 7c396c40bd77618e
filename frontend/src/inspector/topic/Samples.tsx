import { useEffect, useEffectEvent, useState } from "react";
import { Prose } from "../../parts/messages/Prose";
import { SampleRecord } from "./SampleRecord";
import type { TopicLook } from "../form/FormContext";
import "./Samples.css";

const EMPTY_POLL_MS = 3_000;

/** Looks again from time to time while a topic is empty: its first records must not go unseen. */
function useLookedAgain(isEmpty: boolean, lookAgain: () => Promise<void>): void {
  const look = useEffectEvent(lookAgain);
  useEffect(() => {
    if (!isEmpty) return;
    const timer = window.setInterval(() => void look(), EMPTY_POLL_MS);
    return () => window.clearInterval(timer);
  }, [isEmpty]);
}

/** The newest records of the topic, the newest first. */
export function Samples({ look }: { readonly look: TopicLook }) {
  const { sample, refusal, lookAgain } = look;
  const [isBusy, setBusy] = useState(false);
  useLookedAgain(sample !== null && sample.messages.length === 0, lookAgain);
  const again = async () => {
    setBusy(true);
    await lookAgain();
    setBusy(false);
  };
  const records = sample?.messages.toReversed() ?? [];
  return (
    <div className="samples">
      <div className="head">
        <span>Newest records</span>
        <button type="button" className="small-button" disabled={isBusy} onClick={() => void again()}>
          Refresh
        </button>
      </div>
      {refusal !== null && (
        <p className="refused">
          <Prose text={`${refusal.message} ${refusal.hint}`} />
        </p>
      )}
      {records.map((record) => (
        <SampleRecord key={`${record.partition}:${record.offset}`} record={record} />
      ))}
      {sample === null && refusal === null && <p className="quiet">Reading …</p>}
      {sample !== null && records.length === 0 && <p className="quiet">The topic is empty.</p>}
    </div>
  );
}
