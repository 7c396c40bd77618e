import { useCallback, useState } from "react";
import { createShareLink, listShareLinks, revokeShareLink, type ShareLink } from "../../../../api/shareLinks";
import { toRefusal, type Refusal } from "../../../../api/refusal";
import { useResource } from "../../../../api/useResource";
import { useDeployment } from "../../../../editor/interface/useDeployment";
import { Button } from "../../../../ui/controls/Button";
import { ShownOnce } from "../../../../ui/controls/ShownOnce";
import "../../../../ui/controls/controls.css";
import "../../../../ui/controls/FormRows.css";
import { Ago } from "../../../../ui/display/Ago";
import { TableHead } from "../../../../ui/display/TableHead";
import { Dialog } from "../../../../ui/messages/Dialog";
import { RefusalNotice } from "../../../../ui/messages/Notice";
import { hrefs } from "../../../../ui/routing/route";
import { formatMoment } from "../../../../ui/text/format";
import "./ShareDialog.css";

const DURATIONS: readonly (readonly [hours: number, words: string])[] = [
  [1, "1 hour"],
  [24, "1 day"],
  [7 * 24, "7 days"],
  [30 * 24, "30 days"],
];
const USUAL_HOURS = 24;

/** Makes links with which anybody reads this topology, and revokes them. */
export function ShareDialog({ close }: { readonly close: () => void }) {
  const { topology } = useDeployment();
  const list = useCallback(() => listShareLinks(topology.id), [topology.id]);
  const { data: links, refusal: listRefusal, reload } = useResource(list);
  const [hours, setHours] = useState(USUAL_HOURS);
  const [showsRecords, setShowsRecords] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const run = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setRefusal(null);
    try {
      await act();
      await reload();
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    setBusy(false);
  };
  const create = () =>
    run(async () => {
      const { text } = await createShareLink(topology.id, hours, showsRecords);
      setAddress(new URL(hrefs.shared(text), window.location.origin).href);
    });
  const action = (
    <Button look="primary" isBusy={isBusy} onClick={() => void create()}>
      Create link
    </Button>
  );
  const problem = refusal ?? listRefusal;
  return (
    <Dialog title="Share by link" close={close} leave="Close" action={action} isWide>
      <p>
        Anyone with the link sees the canvas and its running numbers, without an account. They cannot change anything,
        and see contents of records only if you allow it. The link also ends when you leave the project.
      </p>
      <div className="controls form-rows">
        <label>
          <span>Ends after</span>
          <select value={hours} onChange={({ target }) => setHours(Number(target.value))}>
            {DURATIONS.map(([hours, words]) => (
              <option key={hours} value={hours}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label className="check">
          <input type="checkbox" checked={showsRecords} onChange={({ target }) => setShowsRecords(target.checked)} />
          <span>Show the newest records that it writes</span>
        </label>
      </div>
      <div role="status">{address !== null && <ShownOnce key={address} label="Link" text={address} />}</div>
      {problem !== null && <RefusalNotice refusal={problem} />}
      {links !== null && links.length > 0 && (
        <div className="table-scroll">
          <table className="share-links">
            <TableHead words={["Link", "By", "Shows", "Last opened", "Ends"]} action="Actions" />
            <tbody>
              {links.map((link) => (
                <LinkRow
                  key={link.id}
                  link={link}
                  revoke={() => void run(() => revokeShareLink(topology.id, link.id))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Dialog>
  );
}

function LinkRow({ link, revoke }: { readonly link: ShareLink; readonly revoke: () => void }) {
  return (
    <tr>
      <th scope="row">
        <code>{link.begins}…</code>
      </th>
      <td>{link.created_by}</td>
      <td>{link.shows_records ? "Canvas and records" : "Canvas"}</td>
      <td>{link.used_at === null ? "Never" : <Ago at={link.used_at} />}</td>
      <td>{formatMoment(Date.parse(link.expires_at))}</td>
      <td className="actions">
        <Button onClick={revoke}>Revoke</Button>
      </td>
    </tr>
  );
}
