import { useCallback, useState } from "react";
import { fetchSubject } from "../../api/calls";
import type { JudgedVersion, SubjectDetails, SubjectVersion } from "../../api/types";
import { useResource } from "../../api/useResource";
import { Button } from "../../ui/controls/Button";
import { Panel } from "../../ui/display/Panel";
import { UserLines } from "../../ui/display/UserLines";
import { groupUses } from "../../ui/display/userLines";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Prose } from "../../ui/messages/Prose";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { formatMoment } from "../../ui/text/format";
import { AffectedList, GuardPanel } from "./GuardPanel";
import { formatSchema } from "./text";
import "../../ui/display/changes.css";

interface Props {
  readonly cluster: string;
  readonly subject: string;
}

/** A subject: who reads and writes it, and each version with what it changes. */
export function SubjectPanel({ cluster, subject }: Props) {
  const { data, refusal } = useResource(useCallback(() => fetchSubject(cluster, subject), [cluster, subject]));
  return (
    <div className="subject">
      <h2 className="mono">{subject}</h2>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data !== null && (
        <>
          {data.level !== "" && (
            <p className="quiet">
              Compatibility level: <b>{data.level}</b>
            </p>
          )}
          <Users details={data} />
          {data.judged.map((judged) => (
            <Judged key={judged.topic} judged={judged} />
          ))}
          <GuardPanel cluster={cluster} subject={subject} details={data} />
          <Panel title="Versions">
            {data.versions.map((version, index) => (
              <Version key={version.version} cluster={cluster} version={version} isOpen={index === 0} />
            ))}
          </Panel>
        </>
      )}
    </div>
  );
}

/** What the guard said when it noticed the newest version. */
function Judged({ judged: { topic, version, noticed_at, affected, unseen } }: { readonly judged: JudgedVersion }) {
  return (
    <Panel title={`Version ${version}`}>
      <div className="guard-report">
        <p className="quiet">
          Noticed {formatMoment(Date.parse(noticed_at))} for the topic <code>{topic}</code>.
        </p>
        {affected.length === 0 && unseen === 0 && <p>It affects no drawing and no job.</p>}
        <AffectedList affected={affected} unseen={unseen} />
      </div>
    </Panel>
  );
}

function Users({ details }: { readonly details: SubjectDetails }) {
  const lines = groupUses(details.uses);
  return (
    <Panel title="Readers and writers">
      {lines.length === 0 && (
        <p className="nothing">No topology that you can see names this subject. A source also reads schemas by id.</p>
      )}
      <UserLines lines={lines} />
    </Panel>
  );
}

interface VersionProps {
  readonly cluster: string;
  readonly version: SubjectVersion;
  readonly isOpen: boolean;
}

function Version({ cluster, version, isOpen }: VersionProps) {
  const { version: number, id, type, text, references, changes, diff } = version;
  const [isWhole, setIsWhole] = useState(diff.length === 0);
  return (
    <details className="schema-version" open={isOpen}>
      <summary>
        <b>Version {number}</b>{" "}
        <span className="quiet">
          id {id}, {type}
        </span>
        {changes.length > 0 && (
          <span>
            {" "}
            <Prose text={changes.join(", ")} />
          </span>
        )}
      </summary>
      {references.length > 0 && (
        <p>
          Refers to{" "}
          {references.map(({ name, subject, version: at }, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <Link href={hrefs.schemas(cluster, subject)} className="link">
                <code>{name}</code>
              </Link>{" "}
              <span className="quiet">
                ({subject} version {at})
              </span>
            </span>
          ))}
        </p>
      )}
      {diff.length > 0 && (
        <Button onClick={() => setIsWhole(!isWhole)}>{isWhole ? "Show the changes" : "Show the whole schema"}</Button>
      )}
      <pre className="change-lines" tabIndex={0} aria-label={`Schema of version ${number}`}>
        {isWhole
          ? formatSchema(text)
          : diff.map((line, index) => (
              <span key={index} className={SIGNS[line.charAt(0)]}>{`${line}\n`}</span>
            ))}
      </pre>
    </details>
  );
}

const SIGNS: Readonly<Record<string, string>> = { "+": "addition", "-": "removal", "@": "quiet" };
