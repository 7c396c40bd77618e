import { useState } from "react";
import { deleteChannel, listChannels, listDeliveries, testChannel } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Channel } from "../../api/types";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Panel } from "../../ui/display/Panel";
import { TableHead } from "../../ui/display/TableHead";
import { ChannelDialog } from "./ChannelDialog";
import { Messages } from "./Messages";

const LOOK_MS = 3_000;
const FORMS = { webhook: "Webhook", slack: "Slack", email: "E-mail" } as const;

/** The channels of alerts, and the results of the newest messages. */
export function ChannelsPanel() {
  const { data, reload } = useResource(listChannels);
  const log = useResource(listDeliveries);
  const [isAdding, setIsAdding] = useState(false);
  const [deleting, setDeleting] = useState<Channel | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  usePolling(log.reload, LOOK_MS);
  const test = (channel: Channel) => {
    setRefusal(null);
    testChannel(channel.id).then(log.reload, (error: unknown) => setRefusal(toRefusal(error)));
  };
  if (data === null) return null;
  return (
    <>
      <Panel
        title="Channels"
        aside={
          data.may_change ? (
            <Button icon="add" onClick={() => setIsAdding(true)}>
              Add a channel
            </Button>
          ) : (
            data.why
          )
        }
      >
        {data.channels.length === 0 && <p className="nothing">Alerts are shown here only. A channel sends them.</p>}
        {data.channels.length > 0 && (
          <div className="table-scroll">
            <table>
              <TableHead words={["Name", "Form", "Address", "Added by"]} action="Actions" />
              <tbody>
                {data.channels.map((channel) => (
                  <tr key={channel.id}>
                    <th scope="row">{channel.name}</th>
                    <td>{FORMS[channel.form]}</td>
                    <td className="what">
                      <code>{channel.shown}</code>
                      {channel.is_internal && <small className="quiet">may be internal</small>}
                    </td>
                    <td>{channel.by}</td>
                    <td className="actions">
                      {data.may_change && (
                        <>
                          <Button onClick={() => test(channel)}>Test</Button>
                          <Button onClick={() => setDeleting(channel)}>Delete</Button>
                        </>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Panel>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      <Messages deliveries={log.data ?? []} />
      {isAdding && <ChannelDialog hasMail={data.has_mail} onAdd={reload} close={() => setIsAdding(false)} />}
      {deleting !== null && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          verb="Delete"
          look="danger"
          act={() => deleteChannel(deleting.id).then(reload)}
          close={() => setDeleting(null)}
        >
          <p>Alerts no longer go there, and the list of its messages is deleted.</p>
        </Confirm>
      )}
    </>
  );
}
