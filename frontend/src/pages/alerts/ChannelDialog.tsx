import { useState } from "react";
import { addChannel } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { NewChannel } from "../../api/types";
import { MAX_LENGTHS } from "../../api/values";
import "../../ui/controls/controls.css";
import { Button } from "../../ui/controls/Button";
import { ShownOnce } from "../../ui/controls/ShownOnce";
import { Dialog } from "../../ui/messages/Dialog";
import { RefusalNotice } from "../../ui/messages/Notice";
import { useOwnClose } from "../../ui/messages/useOwnClose";

interface Props {
  readonly hasMail: boolean;
  readonly onAdd: () => Promise<void>;
  readonly close: () => void;
}

const EMPTY: NewChannel = { name: "", form: "webhook", address: "", is_internal: false };
const ADDRESSES = {
  webhook: "https://hooks.example.com/alerts",
  slack: "https://hooks.slack.com/services/…",
  email: "ann@example.com, on-call@example.com",
} as const;

/** Asks for the address of alerts, and shows the key of the signatures once. */
export function ChannelDialog({ hasMail, onAdd, close }: Props) {
  const [form, setForm] = useState(EMPTY);
  const [key, setKey] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const closeThis = useOwnClose(close);
  const change = (part: Partial<NewChannel>) => setForm((before) => ({ ...before, ...part }));
  const add = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      const channel = await addChannel(form);
      await onAdd();
      if (channel.key === "") closeThis();
      setKey(channel.key);
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    setBusy(false);
  };
  if (key !== "") {
    return (
      <Dialog title={`The key of ${form.name.trim()}`} close={close}>
        <p>The receiver checks the signature of each message with it.</p>
        <ShownOnce label="Key" text={key} />
      </Dialog>
    );
  }
  const isWhole = form.name.trim() !== "" && form.address.trim() !== "";
  const action = (
    <Button look="primary" isBusy={isBusy} disabled={!isWhole} onClick={() => void add()}>
      Add
    </Button>
  );
  return (
    <Dialog title="Add a channel" close={close} action={action}>
      <div className="controls alert-form">
        <label>
          <span>Name</span>
          <input
            value={form.name}
            maxLength={MAX_LENGTHS.channelName}
            placeholder="on call"
            onChange={({ target }) => change({ name: target.value })}
          />
        </label>
        <label>
          <span>Form</span>
          <select value={form.form} onChange={({ target }) => change({ form: target.value as NewChannel["form"] })}>
            <option value="webhook">Webhook with signed JSON</option>
            <option value="slack">Slack</option>
            <option value="email" disabled={!hasMail}>
              {hasMail ? "E-mail" : "E-mail (the server has no mail server)"}
            </option>
          </select>
        </label>
        <label>
          <span>{form.form === "email" ? "Addresses" : "Address"}</span>
          <input
            value={form.address}
            maxLength={MAX_LENGTHS.channelAddress}
            placeholder={ADDRESSES[form.form]}
            spellCheck={false}
            onChange={({ target }) => change({ address: target.value })}
          />
        </label>
        {form.form !== "email" && (
          <label className="check">
            <input
              type="checkbox"
              checked={form.is_internal}
              onChange={({ target }) => change({ is_internal: target.checked })}
            />
            <span>Allow an address of an internal network</span>
          </label>
        )}
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}
