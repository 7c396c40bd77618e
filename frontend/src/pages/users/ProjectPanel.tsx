import { useState } from "react";
import { deleteProject, giveRole, setPrivateFields } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import { ROLES } from "../../api/values";
import type { GivenRole, Group, ProjectPeople } from "../../api/types";
import "../../ui/controls/controls.css";
import { formatAmount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { RefusalNotice } from "../../ui/messages/Notice";
import { TableHead } from "../../ui/display/TableHead";

interface Props {
  readonly project: ProjectPeople;
  readonly groups: readonly Group[];
  readonly isProduct: boolean;
  readonly onChange: () => Promise<void>;
}

type Holder = Pick<ProjectPeople["holders"][number], "user" | "group">;

/** The users, groups and roles of a project. */
export function ProjectPanel({ project, groups, isProduct, onChange }: Props) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isDeleting, setIsDeleting] = useState(false);
  const give = async (holder: Holder, role: GivenRole | null) => {
    setRefusal(null);
    try {
      await giveRole(project.name, { user: holder.user, group: holder.group, role });
    } catch (error) {
      setRefusal(toRefusal(error));
      return false;
    }
    await onChange();
    return true;
  };
  return (
    <section aria-label={`Project ${project.name}`} className="panel project">
      <header>
        <h2>
          Project {project.name} <small>{formatAmount(project.topologies, "topology", "topologies")}</small>
        </h2>
        {isProduct && project.name !== "default" && <Button onClick={() => setIsDeleting(true)}>Delete project</Button>}
      </header>
      {project.holders.length === 0 && <p className="nothing">No user or group has a role here yet.</p>}
      {project.holders.length > 0 && (
        <div className="table-scroll controls">
          <table>
            <TableHead words={["User or group", "Role"]} action="Actions" />
            <tbody>
              {project.holders.map((holder) => (
                <HolderRow key={`${holder.user} ${holder.group}`} holder={holder} give={give} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Adding project={project.name} groups={groups} give={give} />
      <PrivateFields key={project.private_fields.join()} project={project} onChange={onChange} refuse={setRefusal} />
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {isDeleting && (
        <Confirm
          title={`Delete the project ${project.name}?`}
          verb="Delete"
          look="danger"
          act={() => deleteProject(project.name).then(onChange)}
          close={() => setIsDeleting(false)}
        >
          <p>You can only delete a project without topologies. Its roles are deleted as well.</p>
        </Confirm>
      )}
    </section>
  );
}

/** False if the server refuses it. */
type Give = (holder: Holder, role: GivenRole | null) => Promise<boolean>;

function HolderRow({ holder, give }: { readonly holder: ProjectPeople["holders"][number]; readonly give: Give }) {
  const { user, group, role } = holder;
  const name = user === "" ? `group ${group}` : user;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <RoleChoice label={`Role of ${name}`} role={role} choose={(choice) => void give({ user, group }, choice)} />
      </td>
      <td>
        <div className="actions">
          <Button aria-label={`Remove ${name}`} onClick={() => void give({ user, group }, null)}>
            Remove
          </Button>
        </div>
      </td>
    </tr>
  );
}

interface AddingProps {
  readonly project: string;
  readonly groups: readonly Group[];
  readonly give: Give;
}

/** A user by name, or a group. */
function Adding({ project, groups, give }: AddingProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<GivenRole>("viewer");
  const isGroup = groups.some((group) => group.name === name);
  const add = async () => {
    if (await give({ user: isGroup ? "" : name, group: isGroup ? name : "" }, role)) setName("");
  };
  return (
    <div className="adding controls">
      <input
        aria-label={`User or group to add to ${project}`}
        placeholder="User or group"
        list={`groups ${project}`}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <datalist id={`groups ${project}`}>
        {groups.map((group) => (
          <option key={group.name} value={group.name} />
        ))}
      </datalist>
      <RoleChoice label={`Role in ${project}`} role={role} choose={setRole} />
      <Button disabled={name.trim() === ""} onClick={() => void add()}>
        Add
      </Button>
    </div>
  );
}

interface PrivateProps {
  readonly project: ProjectPeople;
  readonly onChange: () => Promise<void>;
  readonly refuse: (refusal: Refusal | null) => void;
}

/** The fields whose values become others when real records are kept as test cases. */
function PrivateFields({ project, onChange, refuse }: PrivateProps) {
  const saved = project.private_fields.join(", ");
  const [text, setText] = useState(saved);
  const save = async () => {
    refuse(null);
    try {
      await setPrivateFields(project.name, text.split(","));
      await onChange();
    } catch (error) {
      refuse(toRefusal(error));
    }
  };
  return (
    <section className="private" aria-label={`Private fields in ${project.name}`}>
      <h3>Private fields</h3>
      <p className="quiet">A test case that you make of real records has other values in these fields.</p>
      <div className="adding controls">
        <input
          aria-label={`Private fields of ${project.name}`}
          placeholder="email, phone"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button disabled={text === saved} onClick={() => void save()}>
          Save private fields
        </Button>
      </div>
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly role: GivenRole;
  readonly choose: (role: GivenRole) => void;
}

function RoleChoice({ label, role, choose }: ChoiceProps) {
  return (
    <select aria-label={label} value={role} onChange={({ target }) => choose(target.value as GivenRole)}>
      {ROLES.map((role) => (
        <option key={role}>{role}</option>
      ))}
    </select>
  );
}
