import { useState } from "react";
import { Prose } from "../../parts/Prose";
import { SampleRecord } from "./SampleRecord";
import type { TopicLook } from "./useTopicLook";
import "./Samples.css";

/** The newest records of the topic, the newest first. */
export function Samples({ look }: { readonly look: TopicLook }) {
  const { sample, refusal, lookAgain } = look;
  const [busy, setBusy] = useState(false);
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
        <button type="button" className="small-button" disabled={busy} onClick={() => void again()}>
          Look again
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
      {sample === null && refusal === null && <p className="quiet">Looking …</p>}
      {sample !== null && records.length === 0 && <p className="quiet">The topic is empty.</p>}
    </div>
  );
}
