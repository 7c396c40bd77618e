import { useState } from "react";
import { listStreamsSettings } from "../../api/calls";
import { useResource } from "../../api/useResource";
import { Prose } from "../../ui/messages/Prose";
import { Search } from "../../ui/controls/Search";
import "./StreamsSettings.css";

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
