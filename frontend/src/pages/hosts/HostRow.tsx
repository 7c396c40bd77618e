import { useState } from "react";
import { toRefusal } from "../../api/refusal";
import type { Host } from "../../api/types";
import { findFiringOn, useAlerts } from "../../live/alerts";
import { formatBytes, formatCount } from "../../ui/text/format";
import { Ago } from "../../ui/display/Ago";
import { Button } from "../../ui/controls/Button";

interface Props {
  readonly host: Host;
  /** The product's version: a host with another one takes no job. */
  readonly version: string;
  readonly mayChange: boolean;
  readonly drain: () => void;
  readonly takeBack: () => Promise<void>;
  readonly forget: () => Promise<void>;
}

/** A host: its state, its resources and jobs, and its actions. */
export function HostRow({ host, version, mayChange, drain, takeBack, forget }: Props) {
  const alerts = findFiringOn(
    useAlerts((all) => all),
    host.name,
  );
  const [refusal, setRefusal] = useState<string | null>(null);
  const attempt = (act: () => Promise<void>) => {
    setRefusal(null);
    act().catch((error: unknown) => {
      const { message, hint } = toRefusal(error);
      setRefusal(`${message} ${hint}`);
    });
  };
  return (
    <tr>
      <th scope="row">{host.name}</th>
      <td>
        <Agent host={host} />
        {alerts.map(({ id, text, silenced_until }) => (
          <small key={id} className={silenced_until === null ? "bad" : undefined}>
            {text} {silenced_until !== null && "(silenced)"}
          </small>
        ))}
        {refusal !== null && (
          <small className="bad" role="status">
            {refusal}
          </small>
        )}
      </td>
      <td className="figure">{formatCount(host.cores)}</td>
      <td className="figure">{formatBytes(host.memory_bytes)}</td>
      <td>
        <code className="version">{host.version}</code>
        {host.version !== version && (
          <small className="warn">Takes no job. Install {version} there, and start the agent again.</small>
        )}
      </td>
      <td className="jobs">{host.jobs.length === 0 ? "–" : host.jobs.join(", ")}</td>
      <td className="actions">
        {mayChange && host.is_draining && <Button onClick={() => attempt(takeBack)}>Take back</Button>}
        {mayChange && host.is_alive && !host.is_draining && <Button onClick={drain}>Drain</Button>}
        {mayChange && !host.is_alive && <Button onClick={() => attempt(forget)}>Forget</Button>}
      </td>
    </tr>
  );
}

function Agent({ host }: { readonly host: Host }) {
  if (!host.is_alive) {
    return (
      <span className="status bad">
        Last seen <Ago at={host.seen_at} />
      </span>
    );
  }
  if (!host.is_draining) return <span className="status good">Running</span>;
  return <span className="status warn">{host.jobs.length > host.stay.length ? "Draining" : "Drained"}</span>;
}
