import { useState } from "react";
import type { Topic } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { Icon } from "../../ui/icons/Icon";

interface Props {
  readonly topics: readonly Topic[];
  readonly current: string | null;
  readonly choose: (topic: string) => void;
}

/** The topics of the cluster that match the search. */
export function TopicList({ topics, current, choose }: Props) {
  const [search, setSearch] = useState("");
  const matches = topics.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <div className="topics">
      <label className="find">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search topics"
          placeholder="Search topics"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      <ul aria-label="Topics">
        {matches.map(({ name, partitions }) => (
          <li key={name}>
            <button type="button" aria-pressed={name === current} onClick={() => choose(name)}>
              <span className="name">{name}</span>
              <small className="number">{formatAmount(partitions, "partition")}</small>
            </button>
          </li>
        ))}
      </ul>
      {matches.length === 0 && <p className="quiet">No topic matches.</p>}
    </div>
  );
}
