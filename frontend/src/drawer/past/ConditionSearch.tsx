import { useCallback, useState, type SubmitEvent } from "react";
import { listBreakpoints, searchBatches } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { BatchHits } from "../../api/types";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { describeSearch, openBatch } from "../../editor/interface/past";
import { formatRecordPlace } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { TableHead } from "../../ui/display/TableHead";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatCount } from "../../ui/text/format";
import { formatRecordTime } from "../../ui/text/content";
import { Content } from "../records/Content";
import { Breakpoints, WatchButton } from "./Breakpoints";
import { FollowRecord } from "../records/FollowRecord";

/** New batches are looked at every few seconds. */
const LOOK_MS = 3_000;

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
  const breakpoints = useResource(useCallback(() => listBreakpoints(job), [job]));
  usePolling(breakpoints.reload, LOOK_MS);
  const refuse = (error: unknown) => setRefusal(toRefusal(error));
  const goTo = (to: number) => {
    setRefusal(null);
    void openBatch(job, to).then(setRefusal);
  };
  const search = (before: number | null) => {
    setSearching(true);
    setRefusal(null);
    searchBatches(job, batch, { node, port, condition, before })
      .then(setFound, refuse)
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
        <WatchButton at={{ job, node, port }} condition={condition} refuse={setRefusal} reload={breakpoints.reload} />
        {found !== null && <span className="number">{describeSearch(found)}</span>}
        {found?.older != null && (
          <Button isBusy={isSearching} onClick={() => search(found.older)}>
            Search on
          </Button>
        )}
      </form>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      <Breakpoints
        job={job}
        breakpoints={breakpoints.data ?? []}
        refuse={setRefusal}
        reload={breakpoints.reload}
        goTo={goTo}
      />
      {found !== null && found.hits.length > 0 && <Hits hits={found.hits} goTo={goTo} />}
    </>
  );
}

interface HitsProps {
  readonly hits: BatchHits["hits"];
  readonly goTo: (batch: number) => void;
}

function Hits({ hits, goTo }: HitsProps) {
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
            <td className="number">{origin === null ? "a clock" : formatRecordPlace(origin)}</td>
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
