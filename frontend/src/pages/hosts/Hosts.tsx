import { useState } from "react";
import { drainHost, forgetHost, listHosts, takeHostBack } from "../../api/calls";
import type { Host } from "../../api/types";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";
import { formatAmount } from "../../ui/text/format";
import { Confirm } from "../../ui/messages/Confirm";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Skeleton } from "../../ui/display/Skeleton";
import { TableHead } from "../../ui/display/TableHead";
import { useTitle } from "../../ui/routing/useTitle";
import { HostRow } from "./HostRow";
import "./Hosts.css";

const LOOK_MS = 3_000;

/** The machines whose agents execute runs, and the actions of an administrator. */
export function Hosts() {
  const { data, refusal, reload } = useResource(listHosts);
  const [asking, setAsking] = useState<Host | null>(null);
  usePolling(reload, LOOK_MS);
  useTitle("Hosts");
  const applyChange = async (change: Promise<unknown>) => {
    await change;
    await reload();
  };
  return (
    <div className="page hosts">
      <div className="title">
        <h1>Hosts</h1>
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton />}
      {data?.hosts.length === 0 && (
        <p className="quiet">
          No host has an agent. Start one with <code>manage.py agent</code>, or <code>streamwright agent</code> of an
          installed package.
        </p>
      )}
      {data !== null && data.hosts.length > 0 && (
        <div className="panel table-scroll">
          <table>
            <TableHead
              words={["Name", "Agent", "Cores", "Memory", "Version", "Jobs"]}
              figures={["Cores", "Memory"]}
              action="Actions"
            />
            <tbody>
              {data.hosts.map((host) => (
                <HostRow
                  key={host.name}
                  host={host}
                  version={data.version}
                  mayChange={data.may_change}
                  drain={() => setAsking(host)}
                  takeBack={() => applyChange(takeHostBack(host.name))}
                  forget={() => applyChange(forgetHost(host.name))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {asking !== null && (
        <Confirm
          title={`Drain ${asking.name}?`}
          verb="Drain"
          act={() => applyChange(drainHost(asking.name))}
          close={() => setAsking(null)}
        >
          <p>{describeMove(asking)} The host takes no new job until you take it back.</p>
          {asking.stay.length > 0 && (
            <p>
              {formatAmount(asking.stay.length, "job")} cannot move, because only this host has the checkpoint:{" "}
              {asking.stay.join(", ")}. Stop them by hand, or set <code>STREAMWRIGHT_CHECKPOINTS</code> to a folder
              that all hosts see, and deploy them again.
            </p>
          )}
        </Confirm>
      )}
    </div>
  );
}

function describeMove({ jobs, stay }: Host): string {
  const amount = jobs.length - stay.length;
  return amount === 0
    ? "No job moves."
    : `${formatAmount(amount, "job")} will finish the current batch and continue on another host.`;
}
