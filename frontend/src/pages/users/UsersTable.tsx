import type { User } from "../../api/types";
import { Ago } from "../../ui/display/Ago";
import { Button } from "../../ui/controls/Button";
import { TableHead } from "../../ui/display/TableHead";

interface Props {
  readonly users: readonly User[];
  readonly change: (user: User) => void;
}

/** A line for each user. */
export function UsersTable({ users, change }: Props) {
  return (
    <div className="panel table-scroll">
      <table>
        <TableHead words={["Name", "Groups", "Last signed in", "State"]} action="Actions" />
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <th scope="row">{user.name}</th>
              <td>{user.groups.length === 0 ? "–" : user.groups.join(", ")}</td>
              <td>{user.last_login === null ? "Never" : <Ago at={user.last_login} />}</td>
              <td>{describeState(user)}</td>
              <td>
                <div className="actions">
                  <Button aria-label={`Change ${user.name}`} onClick={() => change(user)}>
                    Change
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function describeState({ is_active, is_product_administrator, has_provider }: User): string {
  if (!is_active) return "Deactivated";
  const state = is_product_administrator ? "Product administrator" : "Active";
  return has_provider ? `${state}, signs in with the provider` : state;
}
