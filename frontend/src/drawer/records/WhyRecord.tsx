import { useState } from "react";
import { explainRecord, explainRow } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { RecordStory, RecordToExplain, RowStory, StoredRow } from "../../api/types";
import { openBatch } from "../../editor/interface/past";
import { useInterfaceActions } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatRecordTime } from "../../ui/text/content";
import { formatCount } from "../../ui/text/format";
import { Content } from "./Content";
import { FollowRecord } from "./FollowRecord";
import { WhyRow } from "./WhyRow";
import { formatRecordPlace } from "../../ui/text/format";
import { nameRow, shortenValue } from "./why";

/** Rows whose story is asked for at once. */
const ROWS = 3;

interface Props {
  readonly job: number;
  readonly place: RecordToExplain;
  readonly value: string | null;
}

/** Why a record of a topic or an edge is what it is: its batch, its input, and the records that made what it met. */
export function WhyRecord({ job, place, value }: Props) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = () => {
    setAsking(true);
    setRefusal(null);
    askFor(job, place)
      .then(setAnswer, (error: unknown) => setRefusal(toRefusal(error)))
      .finally(() => setAsking(false));
  };
  if (answer !== null) return <Story job={job} {...answer} />;
  return (
    <>
      <Button isBusy={isAsking} onClick={ask}>
        Why is it {shortenValue(value ?? "null")}?
      </Button>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </>
  );
}

interface Answer {
  readonly story: RecordStory;
  /** Of the first rows, in their order. */
  readonly known: readonly (RowStory | undefined)[];
}

async function askFor(job: number, place: RecordToExplain): Promise<Answer> {
  const story = await explainRecord(job, place);
  const { batch, origin, rows } = story;
  const ask = (row: RecordStory["rows"][number]) => explainRow(job, batch, toStored(row), origin, null);
  const asked = rows.slice(0, ROWS).map((row) => ask(row).catch(() => undefined));
  return { story, known: await Promise.all(asked) };
}

function toStored({ store, key, window }: RecordStory["rows"][number]): StoredRow {
  return { store, key: key ?? "null", window };
}

function Story({ job, story, known }: Answer & { readonly job: number }) {
  const { batch, time, origin, record, rows } = story;
  const { show } = useInterfaceActions();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const goTo = () => {
    setRefusal(null);
    void openBatch(job, batch).then((refusal) => {
      if (refusal === null) show("past");
      setRefusal(refusal);
    });
  };
  return (
    <section className="why-record" aria-label="What made it">
      <p>
        Batch{" "}
        <button type="button" className="follow number" title={formatRecordTime(time)} onClick={goTo}>
          {formatCount(batch)}
        </button>{" "}
        made it from <span className="number">{formatRecordPlace(origin)}</span>{" "}
        {record !== null && <Content text={record.value} isBase64={false} />}{" "}
        <FollowRecord target={{ record: origin }} />
      </p>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {rows.length === 0 && <p className="quiet">No stored row was involved.</p>}
      {rows.map((row, at) => {
        const name = nameRow(row.store, row.key);
        const value = (row.after ?? row.before)?.value ?? "null";
        return (
          <section key={at} aria-label={name}>
            <h4>
              {name}: <span className="number">{shortenValue(value)}</span>
            </h4>
            <WhyRow job={job} batch={batch} row={toStored(row)} value={value} until={origin} known={known[at]} />
          </section>
        );
      })}
    </section>
  );
}
