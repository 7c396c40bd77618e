import { ConnectionParts } from "./ConnectionParts";
import { Line } from "./Line";
import { listRegistryParts, SIGN_INS, type RegistryForm, type SignIn } from "./registry";

interface Props {
  readonly form: RegistryForm;
  readonly change: (part: Partial<RegistryForm>) => void;
}

const LABELS: Record<SignIn, string> = { none: "None", password: "User and password", token: "Token (OAuth)" };

/** The schema registry of a cluster, in its dialog. */
export function RegistryPart({ form, change }: Props) {
  return (
    <fieldset className="registry">
      <legend>Schema registry</legend>
      <Line
        label="Address"
        text={form.url}
        hint="optional, as https://schemas.example.com:8081"
        help="Where it serves Confluent's API. Apicurio's address ends with /apis/ccompat/v7."
        write={(url) => change({ url })}
      />
      {form.url.trim() !== "" && (
        <>
          <label title="Without it, the server refuses addresses of internal networks.">
            <span>Internal address</span>
            <span className="choice">
              <input
                type="checkbox"
                checked={form.isInternal}
                onChange={(event) => change({ isInternal: event.target.checked })}
              />{" "}
              it may be on an internal network
            </span>
          </label>
          <label>
            <span>Sign-in</span>
            <select value={form.signIn} onChange={(event) => change({ signIn: event.target.value as SignIn })}>
              {SIGN_INS.map((each) => (
                <option key={each} value={each}>
                  {LABELS[each]}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
      <ConnectionParts parts={listRegistryParts(form)} form={form} change={change} />
    </fieldset>
  );
}
