import { useState } from "react";
import { listProjectPeople, deleteGroup, listGroups, listUsers } from "../../api/calls";
import { useRights } from "../../api/rights";
import { useResource } from "../../api/useResource";
import type { Group, ProjectPeople, User } from "../../api/types";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Skeleton } from "../../ui/display/Skeleton";
import { TableHead } from "../../ui/display/TableHead";
import { useTitle } from "../../ui/routing/useTitle";
import { NameDialog, type Subject } from "./NameDialog";
import { ProjectPanel } from "./ProjectPanel";
import { Search } from "../../ui/controls/Search";
import { fits } from "./fits";
import { UserDialog } from "./UserDialog";
import { UsersTable } from "./UsersTable";
import "./Users.css";

interface People {
  readonly projects: readonly ProjectPeople[];
  readonly groups: readonly Group[];
}

const ofProjects = async (): Promise<People> => {
  const [projects, all] = await Promise.all([listProjectPeople(), listGroups()]);
  return { projects, groups: all };
};

/** The user in the dialog. */
type Asking = User | "new" | null;

/** Rights of users in each project that the user administers. Product administrators also see users and groups. */
export function Users() {
  const isProduct = useRights()?.is_product_administrator ?? false;
  const { data, refusal, reload } = useResource(ofProjects);
  const [naming, setNaming] = useState<Subject | null>(null);
  const [asking, setAsking] = useState<Asking>(null);
  useTitle("Users");
  return (
    <div className="page users">
      <div className="title">
        <h1>Users</h1>
        {isProduct && (
          <div className="buttons">
            <Button onClick={() => setNaming("project")}>New project</Button>
            <Button onClick={() => setNaming("group")}>New group</Button>
            <Button icon="add" look="primary" onClick={() => setAsking("new")}>
              New user
            </Button>
          </div>
        )}
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton />}
      {data !== null && isProduct && (
        <Everybody groups={data.groups} asking={asking} ask={setAsking} onChange={reload} />
      )}
      {data?.projects.map((each) => (
        <ProjectPanel key={each.name} project={each} groups={data.groups} isProduct={isProduct} onChange={reload} />
      ))}
      {naming !== null && <NameDialog what={naming} onCreate={reload} close={() => setNaming(null)} />}
    </div>
  );
}

interface EverybodyProps {
  readonly groups: readonly Group[];
  readonly asking: Asking;
  readonly ask: (asking: Asking) => void;
  readonly onChange: () => Promise<void>;
}

/** All users and groups of the product. */
function Everybody({ groups, asking, ask, onChange }: EverybodyProps) {
  const { data, refusal, reload } = useResource(listUsers);
  const [text, setText] = useState("");
  const matches = (data ?? []).filter((user) => fits(user, text));
  const reloadAll = async () => {
    await Promise.all([reload(), onChange()]);
  };
  return (
    <>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton />}
      {data !== null && (
        <>
          <div className="controls filter-bar">
            <Search label="Search users and groups" value={text} change={setText} />
          </div>
          {matches.length === 0 && <p className="quiet">No user matches.</p>}
          {matches.length > 0 && <UsersTable users={matches} change={ask} />}
        </>
      )}
      {groups.length > 0 && <Groups groups={groups} onChange={reloadAll} />}
      {asking !== null && (
        <UserDialog
          user={asking === "new" ? null : asking}
          groups={groups}
          onSave={reloadAll}
          close={() => ask(null)}
        />
      )}
    </>
  );
}

function Groups({ groups, onChange }: { readonly groups: readonly Group[]; readonly onChange: () => Promise<void> }) {
  const [deleting, setDeleting] = useState<string | null>(null);
  return (
    <>
      <h2>Groups</h2>
      <div className="panel table-scroll">
        <table>
          <TableHead words={["Group", "Members"]} figures={["Members"]} action="Actions" />
          <tbody>
            {groups.map(({ name, members }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="figure">{members}</td>
                <td>
                  <div className="actions">
                    <Button onClick={() => setDeleting(name)}>Delete</Button>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {deleting !== null && (
        <Confirm
          title={`Delete the group ${deleting}?`}
          verb="Delete"
          look="danger"
          act={() => deleteGroup(deleting).then(onChange)}
          close={() => setDeleting(null)}
        >
          <p>Its members lose the roles that it gave them.</p>
        </Confirm>
      )}
    </>
  );
}
