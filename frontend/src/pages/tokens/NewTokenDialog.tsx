import { useState } from "react";
import { createToken } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useRights } from "../../api/rights";
import { MAX_LENGTHS, MAX_TOKEN_DAYS, ROLES } from "../../api/values";
import type { RoleName } from "../../api/types";
import "../../ui/controls/controls.css";
import { Button } from "../../ui/controls/Button";
import { ShownOnce } from "../../ui/controls/ShownOnce";
import { Dialog } from "../../ui/messages/Dialog";
import "../../ui/controls/FormRows.css";
import { RefusalNotice } from "../../ui/messages/Notice";

interface Props {
  readonly onAdd: () => Promise<void>;
  readonly close: () => void;
}

const DAYS: readonly number[] = [7, 30, 90, MAX_TOKEN_DAYS];
const USUAL_DAYS = 90;

/** Asks for the purpose of a token, and shows its text once. */
export function NewTokenDialog({ onAdd, close }: Props) {
  const [name, setName] = useState("");
  const [days, setDays] = useState(USUAL_DAYS);
  const [role, setRole] = useState<RoleName>("viewer");
  const [project, setProject] = useState("");
  const projects = useRights()?.projects ?? [];
  const [text, setText] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const create = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      const newToken = await createToken({ name, days, role, project: project === "" ? null : project });
      setText(newToken.text);
      await onAdd();
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    setBusy(false);
  };
  if (text !== null) {
    return (
      <Dialog title={`The token ${name.trim()}`} close={close}>
        <ShownOnce label="Token" text={text} />
      </Dialog>
    );
  }
  const action = (
    <Button look="primary" isBusy={isBusy} disabled={name.trim() === ""} onClick={() => void create()}>
      Create
    </Button>
  );
  return (
    <Dialog title="New token" close={close} action={action}>
      <div className="controls form-rows">
        <label>
          <span>Name</span>
          <input
            value={name}
            maxLength={MAX_LENGTHS.tokenName}
            placeholder="deploy from CI"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <label>
          <span>Works for</span>
          <select value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {days} days
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Highest role</span>
          <select value={role} onChange={({ target }) => setRole(target.value as RoleName)}>
            {ROLES.map((role) => (
              <option key={role}>{role}</option>
            ))}
            <option value="product administrator">all your rights</option>
          </select>
        </label>
        <label>
          <span>In the project</span>
          <select value={project} onChange={({ target }) => setProject(target.value)}>
            <option value="">all your projects</option>
            {projects.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Dialog>
  );
}
