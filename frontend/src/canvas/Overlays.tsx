import { staleFor } from "../live/numbers";
import { useLive } from "../live/LiveContext";
import { useNow } from "../live/useNow";
import { age } from "../numbers/format";
import { useDeployed } from "../editor/useDeployed";
import { SamplePanel } from "../sample/SamplePanel";
import { StartPanel } from "../start/StartPanel";

interface Props {
  readonly empty: boolean;
  readonly readOnly: boolean;
}

/** What lies over the drawing: old numbers are called old, an empty canvas helps to begin. */
export function Overlays({ empty, readOnly }: Props) {
  const { job } = useDeployed();
  return (
    <>
      {empty && !readOnly && <StartPanel />}
      <SamplePanel job={job} />
      {readOnly && <p className="canvas-word">Running version, read only.</p>}
      <Staleness />
    </>
  );
}

function Staleness() {
  const now = useNow();
  const stale = useLive(({ state }) => staleFor(state, now));
  const lost = useLive(({ connection }) => connection === "lost");
  if (stale === null && !lost) return null;
  return (
    <p className="canvas-word old" role="status">
      {lost ? "Connection lost. Trying again." : "The run sends no numbers."}
      {stale !== null && <span aria-live="off"> Numbers are {age(stale)} old.</span>}
    </p>
  );
}
