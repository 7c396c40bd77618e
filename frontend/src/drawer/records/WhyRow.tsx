import { useState } from "react";
import { explainRow } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Origin, RowStory, StoredRow } from "../../api/types";
import { Button } from "../../ui/controls/Button";
import { TableHead } from "../../ui/display/TableHead";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatRecordTime } from "../../ui/text/content";
import { formatCount } from "../../ui/text/format";
import { Content } from "./Content";
import { FollowRecord } from "./FollowRecord";
import { describeCause, describeEnd, shortenValue } from "./why";

interface Props {
  readonly job: number;
  /** Number of the batch as of which the row is asked about. */
  readonly batch: number;
  readonly row: StoredRow;
  readonly value: string;
  /** An input record of the batch: what later ones wrote does not count. */
  readonly until?: Origin;
  /** What is known without asking. */
  readonly known?: RowStory | undefined;
}

/** Why a row is what it is: the records that made it, newest first, back to the first kept one. */
export function WhyRow({ job, batch, row, value, until, known }: Props) {
  const [stories, setStories] = useState<readonly RowStory[]>(known === undefined ? [] : [known]);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isAsking, setAsking] = useState(false);
  const last = stories.at(-1);
  const ask = (before: number | null) => {
    setAsking(true);
    setRefusal(null);
    explainRow(job, batch, row, until ?? null, before)
      .then((story) => setStories([...stories, story]), (error: unknown) => setRefusal(toRefusal(error)))
      .finally(() => setAsking(false));
  };
  return (
    <>
      {last === undefined && (
        <Button isBusy={isAsking} onClick={() => ask(null)}>
          Why is it {shortenValue(value)}?
        </Button>
      )}
      {stories.length > 0 && <Changes stories={stories} />}
      {last !== undefined && <p className="quiet">{describeEnd(last, until !== undefined)}</p>}
      {last?.older != null && (
        <Button isBusy={isAsking} onClick={() => ask(last.older)}>
          Older changes
        </Button>
      )}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </>
  );
}

function Changes({ stories }: { readonly stories: readonly RowStory[] }) {
  const changes = stories.flatMap((story) => story.changes);
  if (changes.length === 0) return null;
  return (
    <table className="records of-changes" aria-label="Records that made it">
      <TableHead words={["Batch", "Record", "Before", "After"]} action="Follow" />
      <tbody>
        {changes.map((change, at) => (
          <tr key={at}>
            <td className="number" title={formatRecordTime(change.time)}>
              {formatCount(change.batch)}
            </td>
            <td>
              <span className="number quiet">{describeCause(change)}</span>
              {change.record !== null && <Content text={change.record.value} isBase64={false} />}
            </td>
            <td>
              <Content text={change.before?.value ?? null} isBase64={false} />
            </td>
            <td>
              <Content text={change.after?.value ?? null} isBase64={false} />
            </td>
            <td>{change.origin !== null && <FollowRecord target={{ record: change.origin }} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
