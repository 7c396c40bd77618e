import { countFates, findFates, nameVersion } from "../../editor/comparing/comparing";
import type { VersionView } from "../../editor/interface/interfaceStore";
import { useInterfaceActions } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";

/** The version in view, and its differences from the compared one. */
export function ComparisonBar({ versionView: { after, before, differences } }: { readonly versionView: VersionView }) {
  const { show } = useInterfaceActions();
  const counts = countFates(findFates(differences));
  const comparison = before === null ? "read only" : `compared with ${nameVersion(before)}: ${counts}`;
  return (
    <div className="canvas-word comparison-bar" role="status" aria-label="Version shown">
      {nameVersion(after, true)}, {comparison}
      <Button onClick={() => show("draft")}>Back to the draft</Button>
    </div>
  );
}
