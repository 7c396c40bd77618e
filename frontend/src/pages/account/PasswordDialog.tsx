import { useState } from "react";
import { changePassword } from "../../api/calls";
import "../../ui/controls/controls.css";
import { Confirm } from "../../ui/messages/Confirm";
import "../../ui/controls/FormRows.css";

/** Changes the user's own password. */
export function PasswordDialog({ user, close }: { readonly user: string; readonly close: () => void }) {
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  return (
    <Confirm title={`Password of ${user}`} verb="Change" act={() => changePassword(old, password)} close={close}>
      <div className="controls form-rows">
        <label>
          <span>Current password</span>
          <input
            type="password"
            autoComplete="current-password"
            value={old}
            onChange={({ target }) => setOld(target.value)}
          />
        </label>
        <label>
          <span>New password</span>
          <input
            type="password"
            autoComplete="new-password"
            placeholder="12 characters or more"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </label>
      </div>
      <p className="quiet">This signs you out in all other browsers.</p>
    </Confirm>
  );
}
