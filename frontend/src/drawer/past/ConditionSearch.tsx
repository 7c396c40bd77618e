import { useState, type SubmitEvent } from "react";
import { lookAtBatch, searchBatches } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { BatchHits } from "../../api/types";
import { chooseBatch, describeSearch } from "../../editor/interface/past";
import { formatPlace } from "../../inspector/facts/drops";
import { Button } from "../../ui/controls/Button";
import { TableHead } from "../../ui/display/TableHead";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatCount } from "../../ui/text/format";
import { formatRecordTime } from "../../ui/text/content";
import { Content } from "../records/Content";
import { FollowRecord } from "../records/FollowRecord";

interface Props {
  readonly job: number;
  /** The batch from which the search goes back. */
  readonly batch: number;
  readonly node: string;
  readonly port: string;
}

/** A breakpoint that stops nothing: a condition, searched backwards through the kept batches. */
export function ConditionSearch({ job, batch, node, port }: Props) {
  const [condition, setCondition] = useState("");
  const [found, setFound] = useState<BatchHits | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSearching, setSearching] = useState(false);
  const search = (before: number | null) => {
    setSearching(true);
    setRefusal(null);
    searchBatches(job, batch, { node, port, condition, before })
      .then(setFound, (error: unknown) => setRefusal(toRefusal(error)))
      .finally(() => setSearching(false));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    search(null);
  };
  return (
    <>
      <form className="controls" onSubmit={submit}>
        <input
          className="condition"
          aria-label={`Condition on records of ${node}`}
          placeholder="amount < 0"
          value={condition}
          onChange={({ target }) => setCondition(target.value)}
        />
        <Button type="submit" isBusy={isSearching} disabled={condition.trim() === ""}>
          Search back
        </Button>
        {found !== null && <span className="number">{describeSearch(found)}</span>}
        {found?.older != null && (
          <Button isBusy={isSearching} onClick={() => search(found.older)}>
            Search on
          </Button>
        )}
      </form>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {found !== null && found.hits.length > 0 && <Hits job={job} hits={found.hits} />}
    </>
  );
}

function Hits({ job, hits }: { readonly job: number; readonly hits: BatchHits["hits"] }) {
  const goTo = (batch: number) => void lookAtBatch(job, batch, {}).then(chooseBatch);
  return (
    <table className="records" aria-label="Records found">
      <TableHead words={["Batch", "Input", "Key", "Value"]} action="Follow" />
      <tbody>
        {hits.map(({ batch, time, origin, record }, at) => (
          <tr key={at}>
            <td className="number" title={formatRecordTime(time)}>
              <button type="button" className="follow" onClick={() => goTo(batch)}>
                {formatCount(batch)}
              </button>
            </td>
            <td className="number">{origin === null ? "a clock" : formatPlace(origin)}</td>
            <td>
              <Content text={record.key} isBase64={false} />
            </td>
            <td>
              <Content text={record.value} isBase64={false} />
            </td>
            <td>{origin !== null && <FollowRecord target={{ record: origin }} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
