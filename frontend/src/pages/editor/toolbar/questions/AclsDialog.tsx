import { useCallback, useState } from "react";
import { checkAcls, listAcls } from "../../../../api/calls";
import { toRefusal, type Refusal } from "../../../../api/refusal";
import type { Acls } from "../../../../api/types";
import { useResource } from "../../../../api/useResource";
import { MAX_LENGTHS } from "../../../../api/values";
import { copyText } from "../../../../ui/browser/copyText";
import "../../../../ui/controls/controls.css";
import { Button } from "../../../../ui/controls/Button";
import { Dialog } from "../../../../ui/messages/Dialog";
import "../../../../ui/controls/FormRows.css";
import { RefusalNotice } from "../../../../ui/messages/Notice";
import { Prose } from "../../../../ui/messages/Prose";
import { TableHead } from "../../../../ui/display/TableHead";
import "./AclsDialog.css";

const ANYBODY = "User:NAME";

interface Props {
  readonly topology: number;
  readonly close: () => void;
}

/** The ACLs that a job's Kafka user needs, as commands to copy, and the ones it lacks now. */
export function AclsDialog({ topology, close }: Props) {
  const [principal, setPrincipal] = useState(ANYBODY);
  const [missing, setMissing] = useState<Acls | null>(null);
  const [checkRefusal, setCheckRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const load = useCallback(() => listAcls(topology, principal), [topology, principal]);
  const { data, refusal } = useResource(load);
  const commands = data?.acls.map(({ command }) => command).join("\n") ?? "";

  const check = async () => {
    setBusy(true);
    setCheckRefusal(null);
    try {
      setMissing(await checkAcls(topology, principal));
    } catch (error) {
      setCheckRefusal(toRefusal(error));
    }
    setBusy(false);
  };
  const action = (
    <>
      <Button isBusy={isBusy} onClick={() => void check()}>
        Check
      </Button>
      <Button look="primary" disabled={commands === ""} onClick={() => void copyText(commands).then(setCopied)}>
        Copy commands
      </Button>
    </>
  );
  return (
    <Dialog title="Kafka ACLs" close={close} action={action} leave="Close" isWide>
      <div className="controls form-rows">
        <label>
          <span>Kafka user</span>
          <input
            value={principal}
            maxLength={MAX_LENGTHS.principal}
            onChange={({ target }) => setPrincipal(target.value)}
          />
        </label>
      </div>
      {data !== null && <AclsTable acls={data} missing={missing} />}
      {missing !== null && (
        <p role="status" className={`acl-outcome ${missing.acls.length === 0 ? "good" : "bad"}`}>
          {missing.acls.length === 0
            ? `The user of the cluster ${missing.cluster} has them all.`
            : `The user of the cluster ${missing.cluster} lacks some.`}
        </p>
      )}
      {data?.notes.map((note) => (
        <p key={note}>
          <Prose text={note} />
        </p>
      ))}
      <textarea className="acl-commands" aria-label="Commands" readOnly rows={6} value={commands} />
      {isCopied === false && (
        <p role="alert">This browser does not allow the page to copy. Select the commands and copy them.</p>
      )}
      {(checkRefusal ?? refusal) !== null && <RefusalNotice refusal={(checkRefusal ?? refusal) as Refusal} />}
    </Dialog>
  );
}

/** One row for each resource, and after a check the missing operations. */
function AclsTable({ acls, missing }: { readonly acls: Acls; readonly missing: Acls | null }) {
  return (
    <div className="table-scroll" role="region" tabIndex={0} aria-label="Operations by resource">
      <table className="acls">
        <TableHead words={["Resource", "Operations", "For"]} />
        <tbody>
          {acls.acls.map(({ resource, name, is_prefix, operations, optional, why }) => {
            const lacking = missing?.acls.find((each) => each.resource === resource && each.name === name);
            return (
              <tr key={`${resource} ${name} ${why}`}>
                <th scope="row">
                  {resource} <code>{is_prefix ? `${name}*` : name}</code>
                </th>
                <td>
                  {operations.join(", ")}
                  {optional.length > 0 && (
                    <span className="quiet"> (optional: {optional.join(", ")}, to show more here)</span>
                  )}
                  {lacking !== undefined && (
                    <small className="bad">Missing: {[...lacking.operations, ...lacking.optional].join(", ")}</small>
                  )}
                </td>
                <td>
                  <Prose text={why} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
