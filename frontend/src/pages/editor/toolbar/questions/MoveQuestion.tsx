import { useState } from "react";
import { moveTopology } from "../../../../api/calls";
import { listProjects, useRights } from "../../../../api/rights";
import { useDeployment } from "../../../../editor/interface/useDeployment";
import { Confirm } from "../../../../ui/messages/Confirm";
import "../../../../ui/controls/controls.css";

/** Moves the topology and its job into another project that the user administers. */
export function MoveQuestion({ close }: { readonly close: () => void }) {
  const { topology, reload } = useDeployment();
  const rights = useRights();
  const all = rights === null ? [] : listProjects(rights, "administrator");
  const others = all.filter((name) => name !== topology.project);
  const [choice, choose] = useState<string>();
  const project = choice ?? others[0];
  const act = async () => {
    if (project === undefined) return;
    await moveTopology(topology.id, project);
    await reload();
  };
  return (
    <Confirm title={`Move ${topology.name}`} verb="Move" look="primary" act={act} close={close}>
      <p>The topology and its job leave the project {topology.project}. Roles of the new project apply at once.</p>
      <div className="controls">
        <label>
          <span>Project</span>
          <select value={project} onChange={({ target }) => choose(target.value)}>
            {others.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
    </Confirm>
  );
}
