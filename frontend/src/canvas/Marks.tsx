import { use } from "react";
import type { Issue } from "../api/types";
import { useDocument, useInterface } from "../editor/useEditor";
import { usePacedLive } from "../live/LiveContext";
import { flows } from "../live/rates";
import { DifferencesContext } from "./DifferencesContext";

const NONE: readonly Issue[] = [];
/** What is so of every node that was just set down. */
const FRESH: readonly string[] = ["field.missing", "port.unconnected", "node.unused"];
const DIFFERS = {
  New: "Not in the running version. Deploy to run it.",
  Changed: "Changed since the last deploy. Deploy to run the change.",
  Removed: "Still running, but removed from the draft.",
} as const;

/** What must be known of a node at a glance: problems, that it differs from what runs, that it is the slowest. */
export function Marks({ id }: { readonly id: string }) {
  const isDraft = useInterface(({ view }) => view === "draft");
  const issues = useDocument(({ issuesByNode }) => (isDraft ? issuesByNode.get(id) : undefined)) ?? NONE;
  const difference = use(DifferencesContext).get(id);
  const slowest = usePacedLive(({ state }) => state !== null && flows(state) && state.numbers?.slowest === id);
  return (
    <>
      {slowest && (
        <span className="mark slow" title="The workers spend more time in this node than in any other.">
          slowest
        </span>
      )}
      {difference !== undefined && (
        <span className="mark differs" title={DIFFERS[difference]}>
          {difference}
        </span>
      )}
      {issues.length > 0 && <Problems issues={issues} />}
    </>
  );
}

/** A fresh node is to be set up, which is no fault yet; anything else is loud. */
function Problems({ issues }: { readonly issues: readonly Issue[] }) {
  const setup = issues.every(({ code }) => FRESH.includes(code));
  const reasons = issues.map(({ message, hint }) => `${message} ${hint}`.replaceAll("`", "")).join("\n");
  return (
    <span className={setup ? "mark setup" : "mark bad"} role="img" aria-label={reasons} title={reasons}>
      {setup ? "Set up" : `▲ ${issues.length}`}
    </span>
  );
}
