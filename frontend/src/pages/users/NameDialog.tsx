import { useState } from "react";
import { createGroup, createProject } from "../../api/calls";
import "../../ui/controls/controls.css";
import { Confirm } from "../../ui/messages/Confirm";
import "../../ui/controls/FormRows.css";

export type Subject = "group" | "project";

interface Props {
  readonly what: Subject;
  readonly onCreate: () => Promise<void>;
  readonly close: () => void;
}

const ABOUT: Readonly<Record<Subject, string>> = {
  group: "A role that you give a group applies to all its members.",
  project: "A project holds topologies. Each user sees those projects where they have a role.",
};

/** Creates a group or a project. Both need only a name. */
export function NameDialog({ what, onCreate, close }: Props) {
  const [name, setName] = useState("");
  const create = async () => {
    await (what === "group" ? createGroup(name) : createProject(name));
    await onCreate();
  };
  return (
    <Confirm title={`New ${what}`} verb="Create" act={create} close={close}>
      <p>{ABOUT[what]}</p>
      <div className="controls form-rows">
        <label>
          <span>Name</span>
          <input value={name} onChange={({ target }) => setName(target.value)} />
        </label>
      </div>
    </Confirm>
  );
}
