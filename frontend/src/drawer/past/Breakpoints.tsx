import { useState } from "react";
import { removeBreakpoint, setBreakpoint } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import type { Breakpoint } from "../../api/types";
import { useDeployment } from "../../editor/interface/useDeployment";
import { formatRecordPlace } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { formatCount } from "../../ui/text/format";
import { FollowRecord } from "../records/FollowRecord";
import { MakeCaseOf } from "../records/MakeCaseOf";

interface WatchProps {
  readonly at: { readonly job: number; readonly node: string; readonly port: string };
  readonly condition: string;
  readonly refuse: (refusal: Refusal | null) => void;
  readonly reload: () => Promise<void>;
}

/** Watches new batches for the condition. The job does not stop. */
export function WatchButton({ at: { job, node, port }, condition, refuse, reload }: WatchProps) {
  const { topology } = useDeployment();
  const why = useWhyNot("editor", topology.project);
  const [alerts, setAlerts] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const watch = async () => {
    setBusy(true);
    refuse(null);
    try {
      await setBreakpoint(job, { node, port, condition, alerts });
      await reload();
    } catch (error) {
      refuse(toRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button isBusy={isBusy} why={why} disabled={condition.trim() === ""} onClick={() => void watch()}>
        Watch from now
      </Button>
      <label className="choice">
        <input type="checkbox" checked={alerts} onChange={({ target }) => setAlerts(target.checked)} />
        with an alert
      </label>
    </>
  );
}

interface Props {
  readonly job: number;
  readonly breakpoints: readonly Breakpoint[];
  readonly refuse: (refusal: Refusal | null) => void;
  readonly reload: () => Promise<void>;
  readonly goTo: (batch: number) => void;
}

/** The breakpoints of the job: what is watched, and what was found. */
export function Breakpoints({ job, breakpoints, refuse, reload, goTo }: Props) {
  const { topology } = useDeployment();
  const why = useWhyNot("editor", topology.project);
  const remove = async (id: number) => {
    refuse(null);
    await removeBreakpoint(job, id).catch((error: unknown) => refuse(toRefusal(error)));
    await reload();
  };
  if (breakpoints.length === 0) return null;
  return (
    <ul className="breakpoints" aria-label="Breakpoints">
      {breakpoints.map((each) => (
        <li key={each.id}>
          <code>{each.condition}</code>
          <span>at {each.node}</span>
          <State breakpoint={each} goTo={goTo} />
          <Button why={why} onClick={() => void remove(each.id)}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

function State({ breakpoint, goTo }: { readonly breakpoint: Breakpoint; readonly goTo: (batch: number) => void }) {
  const { hit, failure, looked_at } = breakpoint;
  if (failure !== "") return <span className="state bad">{failure}</span>;
  if (hit === null) {
    const until = looked_at < 0 ? "from the first batch on" : `nothing found up to batch ${formatCount(looked_at)}`;
    return <span className="state quiet number">watched, {until}</span>;
  }
  return (
    <span className="state number">
      found in batch{" "}
      <button type="button" className="follow" onClick={() => goTo(hit.batch)}>
        {formatCount(hit.batch)}
      </button>
      , which is pinned, {hit.origin === null ? "by a clock" : `for ${formatRecordPlace(hit.origin)}`}{" "}
      {hit.origin !== null && (
        <>
          <FollowRecord target={{ record: hit.origin }} /> <MakeCaseOf records={[hit.origin]} batch={hit.batch} />
        </>
      )}
    </span>
  );
}
