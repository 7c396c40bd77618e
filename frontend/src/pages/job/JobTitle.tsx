import { hrefs } from "../../ui/routing/route";
import type { Job, Topology } from "../../api/types";
import { useRunningVersion } from "../../live/useRunningVersion";
import type { LiveJob } from "../../live/useLiveJob";
import { Ago } from "../../ui/display/Ago";
import { Link } from "../../ui/routing/Link";
import { BackLink } from "../../ui/controls/BackLink";
import { isFailing } from "../../live/problem";
import { StatusWord } from "../../ui/display/StatusWord";
import { JobActions } from "./JobActions";

interface Props {
  readonly title: string;
  readonly job: Job;
  readonly topology: Topology;
  readonly live: LiveJob;
  readonly onChange: () => void;
}

const VERSIONS = "Compare the versions of the topology, or deploy an earlier one.";
const GROUP = "The job commits its offsets under this group, where lag tools find them.";

/** Name, status and facts of a job, and its actions. */
export function JobTitle({ title, job, topology, live, onChange }: Props) {
  const jobStatus = live.state?.jobStatus ?? job;
  const running = useRunningVersion(job, live.state?.jobStatus ?? null);
  const since = jobStatus.ended_at ?? jobStatus.started_at;
  return (
    <div className="title">
      <div>
        <BackLink href={hrefs.home}>All topologies</BackLink>
        <div className="name">
          <h1>{title}</h1>
          <div role="status" aria-label="Status of the job">
            <StatusWord status={jobStatus.status} isFailing={isFailing(jobStatus)} />
          </div>
        </div>
        <p className="facts">
          <span>
            Version {running ?? "…"}
            {running !== job.version_number && `, then ${job.version_number}`}{" "}
            <Link href={hrefs.editor(topology.id, { dialog: "versions" })} className="link" title={VERSIONS}>
              Versions and rollback
            </Link>
          </span>
          {since !== null && (
            <span>
              {jobStatus.ended_at === null ? "Started" : "Last run ended"} <Ago at={since} />
            </span>
          )}
          <span>
            Cluster <code>{job.cluster}</code>
          </span>
          {jobStatus.host !== "" && (
            <span>
              Host <code>{jobStatus.host}</code>
            </span>
          )}
          {job.spark !== "" && (
            <span>
              Spark cluster <code>{job.spark}</code>
            </span>
          )}
          <span>
            Application and consumer group <code title={GROUP}>{job.application_id}</code>
          </span>
        </p>
      </div>
      <JobActions
        title={title}
        job={job}
        topology={topology}
        jobStatus={jobStatus}
        live={live.state}
        onChange={onChange}
      />
    </div>
  );
}
