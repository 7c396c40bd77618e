import { fetchSettingsSchema } from "../../api/calls";
import type { FormSchema, Job } from "../../api/types";
import { useResource } from "../../api/useResource";
import { Panel } from "../../ui/display/Panel";
import { listSettings } from "../deploy/settings";
import { Engines } from "./numbers/Engines";
import "./SettingsPanel.css";

const UNKNOWN: FormSchema = { properties: {} };

/** The settings of the running job. Users' choices stand out from the defaults. */
export function SettingsPanel({ job }: { readonly job: Job }) {
  const schema = useResource(fetchSettingsSchema).data ?? UNKNOWN;
  return (
    <Panel title="Settings">
      <dl className="job-settings">
        {listSettings(job.settings, schema).map(({ name, title, value, help, isDefault }) => (
          <div key={name} title={help}>
            <dt>{title}</dt>
            <dd className={isDefault ? "number" : "number own-value"}>{value === "" ? "–" : value}</dd>
          </div>
        ))}
      </dl>
      <Engines job={job.id} />
    </Panel>
  );
}
