import type { Job } from "../../api/types";
import { Panel } from "../../parts/Panel";
import { settingLines } from "./settings";
import "./SettingsPanel.css";

/** The settings the job runs with. */
export function SettingsPanel({ job }: { readonly job: Job }) {
  return (
    <Panel title="Settings">
      <dl className="settings">
        {settingLines(job.settings).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
