import { useState } from "react";
import { makeCaseOfRecords, tryDeadLetters } from "../../api/calls";
import { findDeadLetter, type FeedRecord } from "../../api/feed";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import type { DeadLetters, Job, ShownDeadLetter, TriedDeadLetters } from "../../api/types";
import { findOrigin } from "../../drawer/deadLetters/deadLetters";
import { MakeCase } from "../../drawer/records/MakeCase";
import { useSending } from "../../drawer/records/useSending";
import { Button } from "../../ui/controls/Button";
import { Panel } from "../../ui/display/Panel";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { formatAmount, formatCount, formatRecordPlace } from "../../ui/text/format";
import { describeChoice, type Filter } from "./deadLetters";
import { DeadLettersTable } from "./DeadLettersTable";
import { TriedNotice } from "./RedriveNotice";
import type { FoundLetters } from "./useFoundLetters";

interface Props {
  readonly job: Job;
  readonly data: DeadLetters;
  readonly found: FoundLetters;
  /** Whether a redrive runs. */
  readonly isRunning: boolean;
  /** Whether there is something to send back, as far as is known of the present filter. */
  readonly canRedrive: boolean;
  readonly redrive: () => void;
  readonly edit: (letter: ShownDeadLetter) => void;
}

/** The newest dead letters of the filter, and what to do with the marked ones, or with all. */
export function LettersPanel({ job, data, found, isRunning, canRedrive, redrive, edit }: Props) {
  const { marks, mark } = found;
  const { letters, matched } = data;
  const trial = useTrial(job.id, found);
  const whyNotTry = useWhyNot("editor", job.project);
  const whyNotRedrive = useWhyNot("operator", job.project);
  const { actions, dialog } = useRecordActions(job);
  const amount =
    matched > letters.length
      ? `newest ${formatCount(letters.length)} of ${formatCount(matched)}`
      : matched > 0 && formatAmount(matched, "letter");
  return (
    <>
      <Panel title="Dead letters" aside={amount}>
        {matched === 0 ? (
          <p className="nothing">No dead letter matches.</p>
        ) : (
          <>
            <div className="acts">
              <span className="number">{describeChoice(marks.size, data)}</span>
              <Button isBusy={trial.isBusy} why={whyNotTry} onClick={() => void trial.start()}>
                Try against the draft
              </Button>
              <Button look="primary" why={whyNotRedrive} disabled={!canRedrive} onClick={redrive}>
                Redrive
              </Button>
            </div>
            {trial.refusal !== null && <RefusalNotice refusal={trial.refusal} />}
            {trial.answer !== null && <TriedNotice trial={trial.answer} />}
            <DeadLettersTable
              letters={letters}
              marks={marks}
              mark={mark}
              edit={edit}
              mayEdit={!isRunning}
              whyNotEdit={whyNotRedrive}
              actions={actions}
            />
          </>
        )}
      </Panel>
      {dialog}
    </>
  );
}

/** Tries the chosen letters against the draft. An answer about an earlier filter is not shown. */
function useTrial(job: number, { filter, choose }: FoundLetters) {
  const [tried, setTried] = useState<{ readonly filter: Filter; readonly answer: TriedDeadLetters } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const start = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      setTried({ filter, answer: await tryDeadLetters(job, choose()) });
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    setBusy(false);
  };
  return { start, isBusy, refusal, answer: tried?.filter === filter ? tried.answer : null };
}

/** What an opened letter offers: to follow its record, to make it a test case, and to send it again. */
function useRecordActions(job: Job) {
  const sending = useSending(job.cluster, null);
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
  return { actions, dialog: sending.dialog };
}
