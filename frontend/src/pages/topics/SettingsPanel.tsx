import { useState } from "react";
import { changeTopic } from "../../api/calls";
import type { TopicDetails, TopicSetting } from "../../api/types";
import "../../ui/controls/controls.css";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import "../../ui/controls/FormRows.css";
import { describeSetting, findUnlimited } from "../../ui/text/topicSettings";
import { Panel } from "../../ui/display/Panel";
import { TableHead } from "../../ui/display/TableHead";

interface Props {
  readonly cluster: string;
  readonly topic: TopicDetails;
  /** Why the user cannot change them, or null if they can. */
  readonly whyNot: string | null;
  readonly onChange: () => Promise<void>;
}

const PARTITIONS = "partitions";

/** The settings of a topic with their meanings. Others are in a fold. */
export function SettingsPanel({ cluster, topic, whyNot, onChange }: Props) {
  const [asking, setAsking] = useState<TopicSetting | typeof PARTITIONS | null>(null);
  const first = topic.settings.filter(({ is_own, meaning }) => is_own || meaning !== "");
  const others = topic.settings.filter((setting) => !first.includes(setting));
  const rows = { whyNot, change: setAsking };
  const add = (
    <Button why={whyNot} onClick={() => setAsking(PARTITIONS)}>
      Add partitions
    </Button>
  );
  return (
    <Panel title="Settings" aside={add}>
      <SettingsTable label="Settings" settings={first} {...rows} />
      <details className="more-settings">
        <summary>{others.length} more</summary>
        <SettingsTable label="Other settings" settings={others} {...rows} />
      </details>
      {asking === PARTITIONS && (
        <PartitionsDialog cluster={cluster} topic={topic} onChange={onChange} close={() => setAsking(null)} />
      )}
      {asking !== null && asking !== PARTITIONS && (
        <SettingDialog
          cluster={cluster}
          topic={topic.name}
          setting={asking}
          onChange={onChange}
          close={() => setAsking(null)}
        />
      )}
    </Panel>
  );
}

interface TableProps {
  readonly label: string;
  readonly settings: readonly TopicSetting[];
  readonly whyNot: string | null;
  readonly change: (setting: TopicSetting) => void;
}

function SettingsTable({ label, settings, whyNot, change }: TableProps) {
  return (
    <div className="table-scroll">
      <table className="settings" aria-label={label}>
        <TableHead words={["Setting", "Value", "What it means"]} action="Actions" />
        <tbody>
          {settings.map((setting) => (
            <tr key={setting.name}>
              <th scope="row">{setting.name}</th>
              <td>
                <SettingValue setting={setting} />
              </td>
              <td className="meaning">{setting.meaning}</td>
              <td className="actions">
                {whyNot === null && !setting.is_read_only && (
                  <Button aria-label={`Change ${setting.name}`} onClick={() => change(setting)}>
                    Change
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a value means, above the value itself if they differ. */
function SettingValue({ setting: { name, value, is_own } }: { readonly setting: TopicSetting }) {
  const meant = describeSetting(name, value);
  return (
    <>
      {meant === null ? <code>{value === "" ? "none" : value}</code> : <span>{meant}</span>}
      <small className="quiet">
        {meant !== null && <code>{value}</code>}
        {meant !== null && !is_own && ", "}
        {!is_own && "default"}
      </small>
    </>
  );
}

interface DialogProps {
  readonly cluster: string;
  readonly onChange: () => Promise<void>;
  readonly close: () => void;
}

function SettingDialog(props: DialogProps & { readonly topic: string; readonly setting: TopicSetting }) {
  const { cluster, topic, setting, onChange, close } = props;
  const [value, setValue] = useState(setting.value ?? "");
  const [isDefault, setIsDefault] = useState(false);
  const meant = describeSetting(setting.name, value.trim());
  const unlimited = findUnlimited(setting.name);
  const act = async () => {
    await changeTopic(cluster, topic, { settings: { [setting.name]: isDefault ? null : value.trim() } });
    await onChange();
  };
  return (
    <Confirm title={`Change ${setting.name} of ${topic}`} verb="Change" act={act} close={close}>
      {setting.meaning !== "" && <p>{setting.meaning}</p>}
      <div className="controls form-rows">
        <label>
          <span>Value</span>
          <input value={value} disabled={isDefault} onChange={({ target }) => setValue(target.value)} />
        </label>
        {meant !== null && !isDefault && (
          <p className="quiet" role="status" aria-label="What the value means">
            {value.trim()} means {meant}.
          </p>
        )}
        {unlimited !== null && (
          <label className="check">
            <input
              type="checkbox"
              checked={!isDefault && value.trim() === unlimited}
              disabled={isDefault}
              onChange={({ target }) => setValue(target.checked ? unlimited : "")}
            />
            No limit
          </label>
        )}
        {setting.is_own && (
          <label className="check">
            <input type="checkbox" checked={isDefault} onChange={({ target }) => setIsDefault(target.checked)} />
            Go back to the default
          </label>
        )}
      </div>
    </Confirm>
  );
}

function PartitionsDialog({ cluster, topic, onChange, close }: DialogProps & { readonly topic: TopicDetails }) {
  const [count, setCount] = useState(String(topic.partitions + 1));
  const act = async () => {
    await changeTopic(cluster, topic.name, { settings: {}, partitions: Number(count) });
    await onChange();
  };
  return (
    <Confirm title={`Add partitions to ${topic.name}`} verb="Add" act={act} close={close}>
      <p>
        Keys move to other partitions from then on, so a key has records in two partitions. Jobs read the new
        partitions at once, and keep their state and tasks. Kafka never removes partitions.
      </p>
      <div className="controls form-rows">
        <label>
          <span>New number of partitions (now {topic.partitions})</span>
          <input
            type="number"
            min={topic.partitions + 1}
            value={count}
            onChange={({ target }) => setCount(target.value)}
          />
        </label>
      </div>
    </Confirm>
  );
}
