import { useState } from "react";
import { changeUser, createUser } from "../../api/calls";
import { useRights } from "../../api/rights";
import type { Group, User } from "../../api/types";
import { MAX_LENGTHS } from "../../api/values";
import "../../ui/controls/controls.css";
import { Confirm } from "../../ui/messages/Confirm";
import "../../ui/controls/FormRows.css";

interface Props {
  /** Null for a new one. */
  readonly user: User | null;
  readonly groups: readonly Group[];
  readonly onSave: () => Promise<void>;
  readonly close: () => void;
}

/** Creates or changes a user: groups, sign-in, and administration of the product. */
export function UserDialog({ user, groups, onSave, close }: Props) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [subject, setSubject] = useState("");
  const [isByProvider, setByProvider] = useState(user?.has_provider ?? false);
  const [isOfProduct, setProduct] = useState(user?.is_product_administrator ?? false);
  const [isActive, setActive] = useState(user?.is_active ?? true);
  const [memberships, setMemberships] = useState<readonly string[]>(user?.groups ?? []);
  const rights = useRights();
  const provider = rights?.provider ?? "";
  const isOneself = rights?.user === user?.name;

  const save = async () => {
    const account = { is_product_administrator: isOfProduct, groups: [...memberships] };
    if (user === null) await createUser({ name, ...account, ...(isByProvider ? { subject } : { password }) });
    else {
      const signIn = readSignIn(user, isByProvider, subject, password);
      await changeUser(user.id, { is_active: isActive, ...account, ...signIn });
    }
    await onSave();
  };
  const put = (group: string, isIn: boolean) =>
    setMemberships(isIn ? [...memberships, group] : memberships.filter((each) => each !== group));
  const title = user === null ? "New user" : `Change ${user.name}`;
  return (
    <Confirm title={title} verb={user === null ? "Create" : "Save"} act={save} close={close}>
      <div className="controls form-rows">
        {user === null && (
          <label>
            <span>Name</span>
            <input
              value={name}
              maxLength={MAX_LENGTHS.userName}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          </label>
        )}
        {(provider !== "" || isByProvider) && !isOneself && (
          <Check word={`Signs in with ${provider || "a provider"}`} checked={isByProvider} change={setByProvider} />
        )}
        {isByProvider && !isOneself && (
          <label>
            <span>Subject</span>
            <input
              value={subject}
              autoComplete="off"
              placeholder={`The claim sub of ${provider || "the provider"}`}
              onChange={({ target }) => setSubject(target.value)}
            />
          </label>
        )}
        {!isByProvider && (
          <label>
            <span>{user === null ? "Password" : "New password"}</span>
            <input
              type="password"
              value={password}
              autoComplete="new-password"
              placeholder={user === null || user.has_provider ? "12 characters or more" : "Leave empty to keep it"}
              onChange={({ target }) => setPassword(target.value)}
            />
          </label>
        )}
        {groups.length > 0 && (
          <fieldset>
            <legend>Groups</legend>
            {groups.map((group) => (
              <Check
                key={group.name}
                word={group.name}
                checked={memberships.includes(group.name)}
                change={(isIn) => put(group.name, isIn)}
              />
            ))}
          </fieldset>
        )}
        {user !== null && !isOneself && <Check word="May sign in" checked={isActive} change={setActive} />}
        {!isOneself && <Check word="Product administrator" checked={isOfProduct} change={setProduct} />}
      </div>
    </Confirm>
  );
}

/** The changes to a user's sign-in. */
function readSignIn(
  user: User,
  isByProvider: boolean,
  subject: string,
  password: string,
): Partial<Parameters<typeof changeUser>[1]> {
  if (isByProvider) return user.has_provider && subject === "" ? {} : { has_provider: true, subject };
  return password === "" && !user.has_provider ? {} : { password };
}

interface CheckProps {
  readonly word: string;
  readonly checked: boolean;
  readonly change: (checked: boolean) => void;
}

function Check({ word, checked, change }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={({ target }) => change(target.checked)} />
      <span>{word}</span>
    </label>
  );
}
