import { useState } from "react";
import { fetchSettingsSchema, listStreamsSettings } from "../../api/calls";
import type { FormSchema, Issue, JobSettings, SettingsChange } from "../../api/types";
import { useResource } from "../../api/useResource";
import { listFields } from "../../inspector/form/fields";
import { PlainField } from "../../inspector/form/FieldFrame";
import { listSettings, mapByName, sortDifferingFirst } from "./settings";
import { Prose } from "../../ui/messages/Prose";
import { Search } from "../../ui/controls/Search";
import "../../ui/controls/controls.css";
import "./Deploy.css";

interface Props {
  /** The settings of the job. */
  readonly settings: JobSettings;
  readonly change: (name: string, value: unknown) => void;
}

const NONE: readonly Issue[] = [];

/** The settings of the run. Folded, because the defaults suit most jobs. Changed settings still show. */
export function DeploySettings({ settings, change }: Props) {
  const schema = useResource(fetchSettingsSchema).data;
  // as they were when the dialog opened: a field stays in its place during a change
  const [initial] = useState(settings);
  if (schema === null) return null;
  const values = mapByName(settings);
  return (
    <details className="deploy-fold">
      <summary>
        <b>Settings</b> <span className="quiet">{describeSettings(settings, schema)}</span>
      </summary>
      <div className="controls">
        {sortDifferingFirst(listFields(schema), initial).map((field) => (
          <PlainField
            key={field.name}
            field={field}
            issues={NONE}
            value={values.get(field.name) === field.fallback ? undefined : values.get(field.name)}
            change={(value) => change(field.name, value ?? field.fallback)}
          />
        ))}
      </div>
    </details>
  );
}

function describeSettings(settings: SettingsChange, schema: FormSchema): string {
  const lines = listSettings(settings, schema).filter(({ isDefault }) => !isDefault);
  return lines.length === 0 ? "defaults" : lines.map(({ title, value }) => `${title}: ${value}`).join(", ");
}

/** For users who know Kafka Streams' settings: our equivalent of each, or why there is none. */
export function StreamsSettings() {
  const [search, setSearch] = useState("");
  const { data } = useResource(listStreamsSettings);
  if (data === null) return null;
  const matches = data.filter(({ streams, here }) => `${streams} ${here}`.toLowerCase().includes(search.toLowerCase()));
  return (
    <details className="deploy-fold streams-settings">
      <summary>
        <b>Where to find Kafka Streams settings</b>
      </summary>
      <Search hasKey={false} label="Find a Kafka Streams setting" value={search} change={setSearch} />
      <dl>
        {matches.map(({ streams, here }) => (
          <div key={streams}>
            <dt>
              <Prose text={streams} />
            </dt>
            <dd>
              <Prose text={here} />
            </dd>
          </div>
        ))}
      </dl>
      {matches.length === 0 && <p className="quiet">No setting matches.</p>}
    </details>
  );
}
