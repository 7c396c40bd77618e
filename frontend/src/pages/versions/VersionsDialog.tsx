import { useCallback, useState } from "react";
import { fetchDifferences, fetchVersion, listVersions } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Job, Version, VersionSummary } from "../../api/types";
import { useResource } from "../../api/useResource";
import { Button } from "../../ui/controls/Button";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice } from "../../ui/messages/Notice";
import { DifferencesText } from "./DifferencesText";
import { VersionList } from "./VersionList";
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
  // first the deployed one: its differences from the draft are the changes of a deploy
  const current = versions?.find(({ id }) => id === (pickedId ?? job?.version)) ?? versions?.[0];

  const take = async (id: number) => {
    try {
      takeBack(await fetchVersion(id));
      close();
    } catch (error) {
      setFailure(toRefusal(error));
    }
  };
  const show = async (before: number) => {
    try {
      await look(String(before), against);
      close();
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
            <DifferencesPane topology={topology} before={current.number} after={against} onSave={onSave} />
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
