import { useState } from "react";
import { explainRecord, lookAtBatch } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { RecordStory, RecordToExplain } from "../../api/types";
import { chooseBatch } from "../../editor/interface/past";
import { useInterfaceActions } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatRecordTime } from "../../ui/text/content";
import { formatCount } from "../../ui/text/format";
import { WhyRow } from "../tables/WhyRow";
import { describePlace, nameRow, shortenValue } from "../tables/why";
import { Content } from "./Content";
import { FollowRecord } from "./FollowRecord";

interface Props {
  readonly job: number;
  readonly place: RecordToExplain;
  readonly value: string | null;
}

/** Why a record of a topic or an edge is what it is: its batch, its input, and the records that made what it met. */
export function WhyRecord({ job, place, value }: Props) {
  const [story, setStory] = useState<RecordStory | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = () => {
    setAsking(true);
    setRefusal(null);
    explainRecord(job, place)
      .then(setStory, (error: unknown) => setRefusal(toRefusal(error)))
      .finally(() => setAsking(false));
  };
  if (story !== null) return <Story job={job} story={story} />;
  return (
    <>
      <Button isBusy={isAsking} onClick={ask}>
        Why is it {shortenValue(value ?? "null")}?
      </Button>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </>
  );
}

function Story({ job, story: { batch, time, origin, record, rows } }: { readonly job: number; readonly story: RecordStory }) {
  const { show } = useInterfaceActions();
  const goTo = () => {
    show("past");
    void lookAtBatch(job, batch, {}).then(chooseBatch);
  };
  return (
    <section className="why-record" aria-label="What made it">
      <p>
        Batch{" "}
        <button type="button" className="follow number" title={formatRecordTime(time)} onClick={goTo}>
          {formatCount(batch)}
        </button>{" "}
        made it from <span className="number">{describePlace(origin)}</span>{" "}
        {record !== null && <Content text={record.value} isBase64={false} />}{" "}
        <FollowRecord target={{ record: origin }} />
      </p>
      {rows.length === 0 && <p className="quiet">No stored row had a part in it.</p>}
      {rows.map(({ store, key, window, before, after }) => (
        <section key={`${store} ${key} ${window?.start}`} aria-label={nameRow(store, key)}>
          <h4>
            {nameRow(store, key)}: <span className="number">{shortenValue((after ?? before)?.value ?? "null")}</span>
          </h4>
          <WhyRow
            job={job}
            batch={batch}
            row={{ store, key: key ?? "null", window }}
            value={after?.value ?? "null"}
            until={origin}
            asksAtOnce
          />
        </section>
      ))}
    </section>
  );
}
