import { findStaleAge } from "../../live/numbers";
import { useLive } from "../../live/LiveContext";
import { useNow } from "../../live/useNow";
import { formatAge } from "../../ui/text/format";
import { describeMoment, usePast } from "../../editor/interface/past";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useDocument, useInterface, useInterfaceActions } from "../../editor/interface/useEditor";
import { BottleneckWord } from "../running/BottleneckWord";
import { SamplePanel } from "../sample/SamplePanel";
import { SampleDataPanel } from "../sample/SampleDataPanel";
import { StartPanel } from "../start/StartPanel";
import { countDifferences, findDifferenceKinds, nameVersion } from "../../editor/comparing/comparing";
import type { VersionView } from "../../editor/interface/interfaceStore";
import { Button } from "../../ui/controls/Button";
import { usePanels } from "../flow/panels";

interface Props {
  readonly isEmpty: boolean;
  readonly isReadOnly: boolean;
}

/** Layers over the graph: they mark old numbers as old, and help users begin on an empty canvas. */
export function Overlays({ isEmpty, isReadOnly }: Props) {
  const { job, topology } = useDeployment();
  const whyReadOnly = useDocument((editor) => editor.whyReadOnly);
  const versionView = useInterface((editor) => editor.versionView);
  const view = useInterface((editor) => editor.view);
  const past = usePast(describeMoment);
  const words = { running: "Running version, read only.", past, draft: null, version: null }[view];
  return (
    <>
      {isEmpty && !isReadOnly && <StartPanel />}
      {view !== "past" && <SamplePanel job={job} />}
      <SampleDataPanel topology={topology.id} project={topology.project} />
      <div className="canvas-words">
        {versionView !== null && <ComparisonBar versionView={versionView} />}
        {isReadOnly && versionView === null && (
          <p className="canvas-word">{words ?? `Read only. ${whyReadOnly ?? ""}`}</p>
        )}
        <ReachWord />
        <BottleneckWord />
        <Staleness />
      </div>
    </>
  );
}

/** What the next key selects, after Alt+S. */
function ReachWord() {
  const isReaching = usePanels((panels) => panels.isReaching);
  if (!isReaching) return null;
  return (
    <p className="canvas-word" role="status">
      Also select: <kbd>U</kbd> all before, <kbd>D</kbd> all behind, <kbd>C</kbd> all connected
    </p>
  );
}

function Staleness() {
  const now = useNow();
  const stale = useLive(({ state }) => findStaleAge(state, now));
  const isLost = useLive(({ connection }) => connection === "lost");
  if (stale === null && !isLost) return null;
  return (
    <p className="canvas-word old" role="status">
      {isLost ? "Connection lost. Trying again." : "The run sends no numbers."}
      {stale !== null && <span aria-live="off"> Numbers are {formatAge(stale)} old.</span>}
    </p>
  );
}

/** The version in view, and its differences from the compared one. */
function ComparisonBar({ versionView: { after, before, differences } }: { readonly versionView: VersionView }) {
  const { show } = useInterfaceActions();
  const counts = countDifferences(findDifferenceKinds(differences));
  const comparison = before === null ? "read only" : `compared with ${nameVersion(before)}: ${counts}`;
  return (
    <div className="canvas-word comparison-bar" role="status" aria-label="Version shown">
      {nameVersion(after, true)}, {comparison}
      <Button onClick={() => show("draft")}>Back to the draft</Button>
    </div>
  );
}
