import { useState } from "react";
import { deleteToken, listTokens } from "../../api/calls";
import type { ApiToken } from "../../api/types";
import { useResource } from "../../api/useResource";
import { formatMoment } from "../../ui/text/format";
import { Ago } from "../../ui/display/Ago";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Skeleton } from "../../ui/display/Skeleton";
import { TableHead } from "../../ui/display/TableHead";
import { useTitle } from "../../ui/routing/useTitle";
import { NewTokenDialog } from "./NewTokenDialog";
import "./Tokens.css";

/** The tokens with which programs act in the user's name. */
export function Tokens() {
  const { data, refusal, reload } = useResource(listTokens);
  const [isAdding, setIsAdding] = useState(false);
  const [deleting, setDeleting] = useState<ApiToken | null>(null);
  useTitle("Tokens");
  return (
    <div className="page tokens">
      <div className="title">
        <h1>Tokens</h1>
        <Button icon="add" look="primary" onClick={() => setIsAdding(true)}>
          New token
        </Button>
      </div>
      <p className="quiet">
        A program sends a token to act in your name: <code>Authorization: Bearer sw_…</code>. The commands{" "}
        <code>streamwright --url … status</code> and others take one, too.
      </p>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton />}
      {data?.length === 0 && <p className="quiet">You have no token.</p>}
      {data !== null && data.length > 0 && (
        <div className="panel table-scroll">
          <table>
            <TableHead words={["Name", "Token", "May", "Last used", "Expires"]} action="Actions" />
            <tbody>
              {data.map((token) => (
                <TokenRow key={token.id} token={token} ask={() => setDeleting(token)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isAdding && <NewTokenDialog onAdd={reload} close={() => setIsAdding(false)} />}
      {deleting !== null && (
        <Confirm
          title={`Delete the token ${deleting.name}?`}
          verb="Delete"
          look="danger"
          act={() => deleteToken(deleting.id).then(reload)}
          close={() => setDeleting(null)}
        >
          <p>Programs that use it lose access.</p>
        </Confirm>
      )}
    </div>
  );
}

function TokenRow({ token, ask }: { readonly token: ApiToken; readonly ask: () => void }) {
  return (
    <tr>
      <th scope="row">{token.name}</th>
      <td>
        <code>{token.begins}…</code>
      </td>
      <td>{describeRights(token)}</td>
      <td>{token.used_at === null ? "Never" : <Ago at={token.used_at} />}</td>
      <td className={token.is_expired ? "bad" : undefined}>
        {token.is_expired ? "Expired" : formatMoment(Date.parse(token.expires_at))}
      </td>
      <td className="actions">
        <Button onClick={ask}>Delete</Button>
      </td>
    </tr>
  );
}

/** "operator in orders", or all rights of its user if nothing narrows it. */
function describeRights({ role, project }: ApiToken): string {
  const what = role === "product administrator" ? "All you may" : role;
  return project === null ? what : `${what} in ${project}`;
}
