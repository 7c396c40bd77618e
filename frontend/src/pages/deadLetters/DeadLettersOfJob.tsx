import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { listDeadLetters, listRedrives, makeCaseOfRecords, tryDeadLetters } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import { findDeadLetter, type FeedRecord } from "../../api/feed";
import { useWhyNot } from "../../api/rights";
import type { Job, ShownDeadLetter, TriedDeadLetters } from "../../api/types";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";
import { useReloadOn } from "../../api/useReloadOn";
import { findOrigin } from "../../drawer/deadLetters/deadLetters";
import { useSending } from "../../drawer/records/useSending";
import { formatRecordPlace } from "../../ui/text/format";
import { MakeCase } from "../../drawer/records/MakeCase";
import { formatAmount, formatCount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Panel } from "../../ui/display/Panel";
import { Search } from "../../ui/controls/Search";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { Skeleton } from "../../ui/display/Skeleton";
import { EditDialog } from "./EditDialog";
import { GroupsTable } from "./GroupsTable";
import {
  chooseDeadLetters,
  countMarkedWaiting,
  describeChoice,
  describeReading,
  formatPlace,
  makeFilter,
  NO_FILTER,
  type Filter,
} from "./deadLetters";
import { DeadLettersTable } from "./DeadLettersTable";
import { RedriveDialog } from "./RedriveDialog";
import { RedriveNotice, TriedNotice } from "./RedriveNotice";

const HOUR = 3_600_000;
const TIMES: readonly (readonly [string, number | null])[] = [
  ["Any time", null],
  ["Last hour", HOUR],
  ["Last day", 24 * HOUR],
  ["Last week", 7 * 24 * HOUR],
];
const LOOK_MS = 1_500;
const TYPED_MS = 400;

/** Groups, letters, and the actions for chosen ones. */
export function DeadLettersOfJob({ job }: { readonly job: Job }) {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [text, setText] = useState("");
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set());
  const [trial, setTrial] = useState<TriedDeadLetters | null>(null);
  const [isTrying, setTrying] = useState(false);
  const [trialRefusal, setTrialRefusal] = useState<Refusal | null>(null);
  const [asking, setAsking] = useState<"redrive" | ShownDeadLetter | null>(null);
  const load = useCallback(
    async () => ({ filter, answer: await listDeadLetters(job.id, makeFilter(filter, Date.now())) }),
    [job.id, filter],
  );
  const { data: found, refusal, reload } = useResource(load);
  const data = found?.answer ?? null;
  // until then, the shown number is not that of what a redrive would send
  const isUpToDate = found?.filter === filter && text === filter.search;
  const redrives = useResource(useCallback(() => listRedrives(job.id), [job.id]));
  const newest = redrives.data?.[0];
  const isRunning = newest?.status === "running";
  const whyNotTry = useWhyNot("editor", job.project);
  const whyNotRedrive = useWhyNot("operator", job.project);
  const sending = useSending(job.cluster, null);
  usePolling(redrives.reload, LOOK_MS);
  useReloadOn(isRunning, reload);
  const change = (part: Partial<Filter>) => {
    setMarks(new Set());
    setTrial(null);
    setFilter((before) => ({ ...before, ...part }));
  };
  const search = useEffectEvent(() => {
    if (text !== filter.search) change({ search: text });
  });
  useEffect(() => {
    const timer = setTimeout(() => search(), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const choose = () => chooseDeadLetters(filter, marks, Date.now());
  const tryThem = async () => {
    setTrying(true);
    setTrialRefusal(null);
    try {
      setTrial(await tryDeadLetters(job.id, choose()));
    } catch (error) {
      setTrialRefusal(toRefusal(error));
    }
    setTrying(false);
  };
  const began = async () => {
    setMarks(new Set());
    await redrives.reload();
  };
  const actions = (record: FeedRecord) => {
    const letter = findDeadLetter(record);
    const follow = findOrigin(letter);
    const link = follow !== null && (
      <>
        <Link href={hrefs.editor(job.topology, { follow })} className="link">
          Follow
        </Link>
        <MakeCase
          project={job.project}
          make={() => makeCaseOfRecords(job.id, { case: formatRecordPlace(follow), records: [follow], batch: null })}
          link={
            <Link href={hrefs.editor(job.topology)} className="link">
              Open the topology
            </Link>
          }
        />
      </>
    );
    return sending.actions(record, letter?.is_input === true ? letter.topic : null, link);
  };
  const letters = data?.letters ?? [];
  const groups = data?.groups ?? [];
  const all = data?.matched ?? 0;
  const chosenGroups = groups.filter(({ id }) => filter.group === null || id === filter.group);
  const waitingOfGroups = chosenGroups.reduce((sum, group) => sum + group.waiting, 0);
  const waiting = marks.size > 0 ? countMarkedWaiting(marks, letters) : waitingOfGroups;
  return (
    <>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {newest !== undefined && <RedriveNotice job={job} redrive={newest} onChange={redrives.reload} />}
      <div className="bar controls">
        <Search label="Search dead letters" value={text} change={setText} />
        <label className="choice">
          Failed
          <select
            value={String(filter.within)}
            onChange={({ target }) => change({ within: target.value === "null" ? null : Number(target.value) })}
          >
            {TIMES.map(([word, ms]) => (
              <option key={word} value={String(ms)}>
                {word}
              </option>
            ))}
          </select>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={filter.isWaiting}
            onChange={({ target }) => change({ isWaiting: target.checked })}
          />
          Not sent back yet
        </label>
        <Button icon="restart" onClick={() => void reload()}>
          Read again
        </Button>
        <p className="quiet extent" role="status">
          {data === null ? refusal === null && "Reading …" : describeReading(data)}
        </p>
      </div>
      {data === null && refusal === null && <Skeleton />}
      {groups.length > 0 && data !== null && (
        <Panel
          title="Groups"
          aside={
            data.groups_left_out > 0 ? `${formatAmount(data.groups_left_out, "smaller group")} not shown` : undefined
          }
        >
          <GroupsTable answer={data} current={filter.group} choose={(group) => change({ group })} />
        </Panel>
      )}
      {data !== null && data.read.letters > 0 && (
        <Panel
          title="Dead letters"
          aside={
            all > letters.length
              ? `newest ${formatCount(letters.length)} of ${formatCount(all)}`
              : all > 0 && formatAmount(all, "letter")
          }
        >
          {all === 0 ? (
            <p className="nothing">No dead letter matches.</p>
          ) : (
            <>
              <div className="bar acts">
                <span className="number">
                  {describeChoice(marks.size, all)}
                </span>
                <Button isBusy={isTrying} why={whyNotTry} onClick={() => void tryThem()}>
                  Try against the draft
                </Button>
                <Button
                  look="primary"
                  why={whyNotRedrive}
                  disabled={isRunning || waiting === 0 || !isUpToDate}
                  onClick={() => setAsking("redrive")}
                >
                  Redrive
                </Button>
              </div>
              {trialRefusal !== null && <RefusalNotice refusal={trialRefusal} />}
              {trial !== null && <TriedNotice trial={trial} />}
              <DeadLettersTable
                letters={letters}
                marks={marks}
                mark={setMarks}
                edit={(letter) => setAsking(letter)}
                mayEdit={!isRunning}
                whyNotEdit={whyNotRedrive}
                actions={actions}
              />
            </>
          )}
        </Panel>
      )}
      {sending.dialog}
      {asking === "redrive" && (
        <RedriveDialog
          job={job}
          amount={waiting}
          groups={chosenGroups}
          selection={choose()}
          began={began}
          close={() => setAsking(null)}
        />
      )}
      {asking !== null && asking !== "redrive" && (
        <EditDialog
          key={formatPlace(asking)}
          job={job.id}
          letter={asking}
          began={began}
          close={() => setAsking(null)}
        />
      )}
    </>
  );
}
