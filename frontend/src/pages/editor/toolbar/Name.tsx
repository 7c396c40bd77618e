import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { changeTopology } from "../../../api/calls";
import { toRefusal } from "../../../api/refusal";
import { useWhyNot } from "../../../api/rights";
import { MAX_LENGTHS } from "../../../api/values";
import { returnFocus } from "../../../ui/browser/focusReturn";
import { useDeployment } from "../../../editor/interface/useDeployment";
import type { Word } from "./parts/TransientNotice";
import { explainName, explainRename } from "./parts/text";

interface Props {
  readonly isEditing: boolean;
  readonly edit: (isOn: boolean) => void;
  readonly say: (word: Word) => void;
}

/** The topology's name. A click edits it. */
export function Name({ isEditing, edit, say }: Props) {
  const { topology, job, reload } = useDeployment();
  const why = useWhyNot("editor", topology.project);
  const rename = async (name: string) => {
    try {
      if (name.trim() !== topology.name) {
        const { slug } = await changeTopology(topology.id, { name });
        const text = job === null ? explainName(slug) : explainRename(job.application_id);
        say({ tone: "info", title: "Renamed.", text });
      }
    } catch (error) {
      const { message, hint } = toRefusal(error);
      say({ tone: "bad", title: message, text: hint });
      return false;
    }
    await reload();
    edit(false);
    return true;
  };
  if (isEditing) return <NameField name={topology.name} rename={rename} cancel={() => edit(false)} />;
  return (
    <h1>
      <button
        type="button"
        className="name"
        disabled={why !== null}
        title={why ?? `${topology.name}: press to rename`}
        onClick={() => edit(true)}
      >
        {topology.name}
      </button>
    </h1>
  );
}

interface FieldProps {
  readonly name: string;
  /** False if the server refuses the name: it stays to be corrected. */
  readonly rename: (name: string) => Promise<boolean>;
  readonly cancel: () => void;
}

/** Enter and leaving the field rename, Escape does not. */
function NameField({ name, rename, cancel }: FieldProps) {
  const [text, setText] = useState(name);
  const [isBusy, setBusy] = useState(false);
  const isByKey = useRef(false);
  useEffect(
    () => () => {
      if (isByKey.current) returnFocus(document.querySelector(".toolbar .name"));
    },
    [],
  );
  const finish = () => {
    if (isBusy) return;
    setBusy(true);
    void rename(text).then(setBusy);
  };
  const handleKey = (event: KeyboardEvent) => {
    isByKey.current = event.key === "Enter" || event.key === "Escape";
    if (event.key === "Enter") finish();
    if (event.key === "Escape") cancel();
  };
  return (
    <input
      className="name"
      aria-label="Name of the topology"
      maxLength={MAX_LENGTHS.topologyName}
      value={text}
      readOnly={isBusy}
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={handleKey}
      onBlur={finish}
    />
  );
}
