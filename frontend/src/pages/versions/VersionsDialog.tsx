import { useCallback, useState } from "react";
import { fetchDifferences, fetchVersion, listVersions } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Job, Version, VersionSummary } from "../../api/types";
import { useResource } from "../../api/useResource";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Ago } from "../../ui/display/Ago";
import { Prose } from "../../ui/messages/Prose";
import { useOwnClose } from "../../ui/messages/useOwnClose";
import "../../ui/controls/controls.css";
import "./VersionsDialog.css";

interface Props {
  readonly topology: number;
  readonly name: string;
  readonly job: Job | null;
  /** Waits until the draft is saved, if possible. */
  readonly onSave: () => Promise<unknown>;
  readonly takeBack: (version: Version) => void;
  readonly deploy: (version: VersionSummary) => void;
  /** Compares a version on the canvas with another graph: a version number, or `draft`. */
  readonly look: (before: string, after: string) => Promise<void>;
  readonly close: () => void;
}

const DRAFT = "draft";

/** All versions of a topology: their authors and messages, the differences of one, and a way back to it. */
export function VersionsDialog({ topology, name, job, onSave, takeBack, deploy, look, close }: Props) {
  const { data: versions, refusal } = useResource(useCallback(() => listVersions(topology), [topology]));
  const [pickedId, setPickedId] = useState<number | null>(null);
  const [against, setAgainst] = useState(DRAFT);
  const [failure, setFailure] = useState<Refusal | null>(null);
  const closeThis = useOwnClose(close);
  // first the deployed one: its differences from the draft are the changes of a deploy
  const current = versions?.find(({ id }) => id === (pickedId ?? job?.version)) ?? versions?.[0];

  const take = async (id: number) => {
    try {
      takeBack(await fetchVersion(id));
      closeThis();
    } catch (error) {
      setFailure(toRefusal(error));
    }
  };
  const show = async (before: number) => {
    try {
      await look(String(before), against);
      closeThis();
    } catch (error) {
      setFailure(toRefusal(error));
    }
  };
  const actions = current !== undefined && (
    <>
      <Button onClick={() => void take(current.id)}>Restore into the draft</Button>
      <Button look="primary" icon="deploy" onClick={() => deploy(current)}>
        Deploy version {current.number}
      </Button>
    </>
  );
  const anyRefusal = failure ?? refusal;
  return (
    <Dialog title={`Versions of ${name}`} close={close} action={actions || undefined} leave="Close" isWide>
      {versions?.length === 0 && <p className="quiet">There is no version yet. Each deploy saves one.</p>}
      {versions !== null && current !== undefined && (
        <div className="versions">
          <VersionList versions={versions} current={current} job={job} choose={setPickedId} />
          <section aria-label="Differences">
            <div className="against controls">
              <label>
                From version {current.number} to{" "}
                <select value={against} onChange={(event) => setAgainst(event.target.value)}>
                  <option value={DRAFT}>the draft</option>
                  {versions.map(({ id, number }) => (
                    <option key={id} value={number}>
                      version {number}
                    </option>
                  ))}
                </select>
              </label>
              <Button onClick={() => void show(current.number)}>Show on the canvas</Button>
            </div>
            <DifferencesPane
              key={`${current.number} ${against}`}
              topology={topology}
              before={current.number}
              after={against}
              onSave={onSave}
            />
          </section>
        </div>
      )}
      {anyRefusal !== null && <RefusalNotice refusal={anyRefusal} />}
    </Dialog>
  );
}

interface DifferencesProps {
  readonly topology: number;
  readonly before: number;
  readonly after: string;
  readonly onSave: () => Promise<unknown>;
}

function DifferencesPane({ topology, before, after, onSave }: DifferencesProps) {
  const load = useCallback(async () => {
    await onSave();
    return fetchDifferences(topology, String(before), after);
  }, [topology, before, after, onSave]);
  const { data, refusal } = useResource(load);
  if (refusal !== null) return <RefusalNotice refusal={refusal} />;
  return data === null ? <p className="quiet">Comparing …</p> : <DifferencesText text={data.text} />;
}

const SIGNS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "~": "changed" };

/** The differences of two graphs, one line per change, as `manage.py diff` prints them. */
function DifferencesText({ text }: { readonly text: string }) {
  if (text === "") return <p className="quiet">No difference.</p>;
  return (
    <pre className="differences" tabIndex={0} aria-label="Lines that differ">
      {text.split("\n").map((line, index) => (
        <span key={index} className={SIGNS[line.charAt(0)]}>
          {`${line}\n`}
        </span>
      ))}
    </pre>
  );
}

interface VersionListProps {
  readonly versions: readonly VersionSummary[];
  readonly current: VersionSummary;
  readonly job: Job | null;
  readonly choose: (id: number) => void;
}

/** The versions, newest first: number, message, author and time, and whether the job has it. */
/** The first choice is often an older one, below many others. */
function reveal(choice: HTMLElement | null): void {
  choice?.scrollIntoView({ block: "nearest" });
}

function VersionList({ versions, current, job, choose }: VersionListProps) {
  return (
    <fieldset className="version-list">
      <legend className="for-screen-readers">Version</legend>
      {versions.map(({ id, number, note, created_by, created_at }) => (
        <label key={id} ref={id === current.id ? reveal : undefined}>
          <input type="radio" name="version" checked={id === current.id} onChange={() => choose(id)} />
          <span>
            <b>Version {number}</b>
            {job?.version === id && <span className="chip">Deployed</span>}
            {note !== "" && (
              <span className="message">
                <Prose text={note} />
              </span>
            )}
            <small className="quiet">
              {created_by ?? "A user who was deleted"}, <Ago at={created_at} />
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
