import { useMemo, useState } from "react";
import { makeRecordsPath, type FeedRecord } from "../../api/feed";
import type { TopicDetails } from "../../api/types";
import { useStableValue } from "../../api/useStableValue";
import { FormatChoice } from "../../drawer/records/FormatChoice";
import { TailPane } from "../../drawer/records/TailPane";
import { useSending } from "../../drawer/records/useSending";
import "../../ui/controls/controls.css";
import { Panel } from "../../ui/display/Panel";
import { parseRecord } from "../../ui/routing/route";
import { FollowLinks } from "./FollowLinks";
import { FoundRecords } from "./FoundRecords";
import { makeLivePath, makeQuery, makeSearch, MODES, type RecordQuery, type Mode } from "./search";

interface Props {
  readonly cluster: string;
  readonly topic: TopicDetails;
  readonly onSend: () => void;
}

const PAUSE_MS = 400;

/** The records of a topic: found by place, time, key and text, or live. */
export function RecordsPanel({ cluster, topic, onSend }: Props) {
  const [query, setQuery] = useState<RecordQuery>(() => makeQuery(parseRecord(window.location.search)));
  const change = (part: Partial<RecordQuery>) => setQuery((before) => ({ ...before, ...part }));
  const stableQuery = useStableValue(query, PAUSE_MS);
  const search = useMemo(() => makeSearch(stableQuery), [stableQuery]);
  const guess = { key: topic.key.format, value: topic.value.format };
  const formats = { key: query.keyFormat ?? guess.key, value: query.valueFormat ?? guess.value };
  const [sends, setSends] = useState(0);
  const sending = useSending(cluster, topic.name, formats, () => {
    setSends((before) => before + 1);
    onSend();
  });
  const actions = (record: FeedRecord) => {
    const { partition, offset } = record;
    const follow = { topic: topic.name, partition, offset };
    return sending.actions(record, topic.name, <FollowLinks uses={topic.uses} follow={follow} />);
  };
  const path = makeLivePath(makeRecordsPath(cluster, topic.name), query);
  const controls = (
    <>
      <Place query={query} partitions={topic.partitions} change={change} />
      <label className="choice">
        Key as
        <FormatChoice
          label="Format of the keys"
          value={query.keyFormat}
          guess={guess.key}
          none={`${guess.key} (guessed)`}
          change={(keyFormat) => change({ keyFormat })}
        />
      </label>
      <label className="choice">
        Value as
        <FormatChoice
          label="Format of the values"
          value={query.valueFormat}
          guess={guess.value}
          none={`${guess.value} (guessed)`}
          change={(valueFormat) => change({ valueFormat })}
        />
      </label>
    </>
  );
  return (
    <Panel title="Records" aside={topic.is_internal ? undefined : sending.button}>
      <div className="records-of-topic">
        {query.mode === "live" ? (
          <TailPane
            key={path}
            path={path}
            label="Records"
            empty={`\`${topic.name}\` holds no records yet.`}
            actions={topic.is_internal ? undefined : actions}
          >
            {controls}
          </TailPane>
        ) : (
          <>
            <div className="controls">
              {controls}
              <label className="choice">
                Key
                <input value={query.key} placeholder="any" onChange={({ target }) => change({ key: target.value })} />
              </label>
              <label className="choice">
                Text
                <input value={query.text} placeholder="any" onChange={({ target }) => change({ text: target.value })} />
              </label>
            </div>
            <FoundRecords
              key={JSON.stringify(search)}
              cluster={cluster}
              topic={topic.name}
              search={search}
              sends={sends}
              actions={topic.is_internal ? undefined : actions}
            />
          </>
        )}
      </div>
      {sending.dialog}
    </Panel>
  );
}

interface PlaceProps {
  readonly query: RecordQuery;
  readonly partitions: number;
  readonly change: (part: Partial<RecordQuery>) => void;
}

/** The start of the search. */
function Place({ query, partitions, change }: PlaceProps) {
  return (
    <>
      <label className="choice">
        Show
        <select value={query.mode} onChange={({ target }) => change({ mode: target.value as Mode })}>
          {MODES.map(({ mode, word }) => (
            <option key={mode} value={mode}>
              {word}
            </option>
          ))}
        </select>
      </label>
      {query.mode === "offset" && (
        <label className="choice">
          Offset
          <input type="number" min={0} value={query.offset} onChange={(e) => change({ offset: e.target.value })} />
        </label>
      )}
      {query.mode === "time" && (
        <label className="choice">
          Time
          <input
            type="datetime-local"
            step="0.001"
            value={query.time}
            onChange={({ target }) => change({ time: target.value })}
          />
        </label>
      )}
      {query.mode !== "live" && (
        <label className="choice">
          Partition
          <select value={query.partition} onChange={({ target }) => change({ partition: target.value })}>
            <option value="">all</option>
            {Array.from({ length: partitions }, (_, number) => (
              <option key={number}>{number}</option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
