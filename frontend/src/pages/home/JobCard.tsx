import { useId, useRef } from "react";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import type { Job } from "../../api/types";
import { useVersionGraph } from "../../api/useGraph";
import type { Operators } from "../../api/useOperators";
import { CardProblem } from "./CardProblem";
import { Picture } from "./Picture";
import { readSeries, SHOWN_POINTS } from "../../live/history";
import { findStaleAge } from "../../live/numbers";
import { chooseNumbers } from "../../live/rates";
import { useLiveJob } from "../../live/useLiveJob";
import { useTimed } from "../../live/useNow";
import { formatAge, formatCount, formatDuration, formatRate } from "../../ui/text/format";
import { Ago } from "../../ui/display/Ago";
import { FiringMark } from "../../ui/display/FiringMark";
import { Sparkline } from "../../ui/display/Sparkline";
import { StatusWord } from "../../ui/display/StatusWord";
import { useVisibility } from "../../ui/browser/useVisibility";
import { useRunningVersion } from "../../live/useRunningVersion";
import { findProblem, findSetback, isFailing } from "../../live/problem";
import { ProjectWord } from "./ProjectWord";
import "./Card.css";

interface Props {
  readonly job: Job;
  readonly title: string;
  readonly operators: Operators;
}

/** A job with its live numbers, followed only while the card is on screen. */
export function JobCard({ job, title, operators }: Props) {
  const heading = useId();
  const card = useRef<HTMLElement>(null);
  const isSeen = useVisibility(card);
  const live = useLiveJob(job.id, isSeen);
  const liveStatus = live.state?.jobStatus ?? null;
  const graph = useVersionGraph(liveStatus?.running_version ?? job.version, isSeen);
  const version = useRunningVersion(job, liveStatus);
  const jobStatus = liveStatus ?? job;
  const problem = findProblem(jobStatus);
  const setback = findSetback(jobStatus);
  const old = useTimed((now) => findStaleAge(live.state, now));

  return (
    <article ref={card} className={old === null ? "card" : "card stale"} aria-labelledby={heading}>
      <header>
        <h2 id={heading}>
          <Link href={hrefs.editor(job.topology)}>{title}</Link>
        </h2>
        <div className="state">
          <FiringMark job={job.id} parts={null} />
          <StatusWord status={jobStatus.status} isFailing={isFailing(jobStatus)} />
        </div>
      </header>
      <div className="graph">{graph !== null && <Picture graph={graph} operators={operators} />}</div>
      {problem !== null && <CardProblem problem={problem} />}
      {problem === null && setback !== null && <CardProblem problem={setback} isSetback />}
      {problem === null && setback === null && <CardNumbers job={job.id} live={live} />}
      <footer>
        <span>
          Version {version ?? "…"}
          {jobStatus.host !== "" && ` on ${jobStatus.host}`}
          <ProjectWord name={job.project} />
        </span>
        <Link href={hrefs.job(job.id)} className="details" aria-label={`Details of ${title}`}>
          Details
        </Link>
        {old === null ? (
          <span>
            Changed by {job.updated_by} <Ago at={job.updated_at} />
          </span>
        ) : (
          <span className="old">Numbers are {formatAge(old)} old</span>
        )}
      </footer>
    </article>
  );
}

interface CardNumbersProps {
  readonly job: number;
  readonly live: ReturnType<typeof useLiveJob>;
}

/** What flows through the job, and the dead letters of its run if there are some. */
function CardNumbers({ job, live }: CardNumbersProps) {
  const numbers = chooseNumbers(live.state);
  const isRunning = live.state?.jobStatus.status === "running";
  const rate = isRunning ? numbers?.rate : null;
  return (
    <>
      <dl className="numbers">
        <div>
          <dt>Throughput</dt>
          <dd className="number">
            {formatRate(rate)}
            {rate != null && <small> /s</small>}
          </dd>
        </div>
        <div>
          <dt>Lag</dt>
          <dd className="number">{formatCount(numbers?.lag)}</dd>
        </div>
        <div>
          <dt>Latency</dt>
          <dd className="number">{formatDuration(isRunning ? numbers?.latency_ms : null)}</dd>
        </div>
        {numbers !== null && numbers.dead_letters > 0 && (
          <div>
            <dt>Dead letters</dt>
            <dd className="number">
              <Link href={hrefs.letters(job)} className="bad">
                {formatCount(numbers.dead_letters)}
              </Link>
            </dd>
          </div>
        )}
      </dl>
      <div className="history">
        <Sparkline
          values={readSeries(live.history, "rate")}
          slots={SHOWN_POINTS}
          tone={isRunning ? "accent" : "quiet"}
          label="Throughput of the last five minutes"
        />
      </div>
    </>
  );
}
