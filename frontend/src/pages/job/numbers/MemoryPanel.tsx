import type { LiveJob } from "../../../live/useLiveJob";
import { formatBytes } from "../../../ui/text/format";
import { Panel } from "../../../ui/display/Panel";
import { splitMemoryByHost } from "./memory";
import "./MemoryPanel.css";

/** A run's memory on each host of a Spark cluster. Empty for a run on a single host. */
export function MemoryPanel({ live }: { readonly live: LiveJob }) {
  const hosts = splitMemoryByHost(live.state);
  if (hosts.length < 2) return null;
  return (
    <Panel title="Memory by host">
      <dl className="memory">
        {hosts.map(({ host, role, bytes: size }) => (
          <div key={`${role} ${host}`}>
            <dt>
              <span className="mono">{host}</span> <span className="quiet">{role}</span>
            </dt>
            <dd className="number">{formatBytes(size)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
