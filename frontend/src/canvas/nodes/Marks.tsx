import { use } from "react";
import type { Issue } from "../../api/types";
import { chooseNextStep, isFresh, isLooseEnd } from "../../editor/checking/fresh";
import { wordIssue } from "../../editor/checking/wording";
import { useDocument, useInterface } from "../../editor/interface/useEditor";
import { countOpen, useComments } from "../../live/comments";
import { usePacedLive } from "../../live/LiveContext";
import { flows } from "../../live/rates";
import { usePressure } from "../running/pressure";
import { Icon } from "../../ui/icons/Icon";
import { DifferencesContext } from "../flow/DifferencesContext";
import { describeShare, formatShare, useProof } from "../../editor/interface/proving";

const NONE: readonly Issue[] = [];
const DIFFERS = {
  Added: "Only in the later graph.",
  New: "Not in the running version. Deploy to run it.",
  Changed: "Changed since the last deploy. Deploy to run the change.",
  Removed: "Still running, but removed from the draft.",
} as const;
const COMPARED = {
  ...DIFFERS,
  Changed: "Other settings. Select it to see them before and after.",
  Removed: "Only in the earlier graph.",
} as const;

/** The important marks of a node: its problems, its difference from the running version, and whether it is slowest. */
export function Marks({ id }: { readonly id: string }) {
  const isDraft = useInterface(({ view }) => view === "draft");
  const issues = useDocument(({ issuesByNode }) => (isDraft ? issuesByNode.get(id) : undefined)) ?? NONE;
  const warnings = useDocument(({ warningsByNode }) => (isDraft ? warningsByNode.get(id) : undefined)) ?? NONE;
  const titles = useInterface(({ view }) => (view === "version" ? COMPARED : DIFFERS));
  const difference = use(DifferencesContext).get(id);
  const commentCount = useComments(({ comments }) => countOpen(comments, id));
  const isBottleneck = usePressure(({ bottleneck }) => bottleneck?.node === id);
  const isSlowest = usePacedLive(({ state }) => state !== null && flows(state) && state.numbers?.slowest === id);
  return (
    <>
      {commentCount > 0 && (
        <span className="mark comments" title={`Open comments: ${commentCount}. Select the node to read them.`}>
          <Icon name="comment" size={10} /> {commentCount}
        </span>
      )}
      {isBottleneck && (
        <span className="mark bottleneck" title="Records wait, and the workers spend most of their time here.">
          bottleneck
        </span>
      )}
      {isSlowest && !isBottleneck && (
        <span className="mark slow" title="The workers spend more time in this node than in any other.">
          slowest
        </span>
      )}
      {difference !== undefined && (
        <span className={`mark differs ${difference.toLowerCase()}`} title={titles[difference]}>
          {difference}
        </span>
      )}
      <ProofShare id={id} />
      {issues.length > 0 && <Problems id={id} issues={issues} />}
      {issues.length === 0 && warnings.length > 0 && <Warnings issues={warnings} />}
    </>
  );
}

/** The share of input records for which the node gives something else in the proved version. */
function ProofShare({ id }: { readonly id: string }) {
  const counts = useProof(({ proof }) => proof?.report?.nodes[id]);
  const isFirst = useProof(({ proof }) => proof?.report?.first_node === id);
  if (counts === undefined || counts.differing === 0) return null;
  return (
    <span className={isFirst ? "mark proof first" : "mark proof"} title={describeShare(counts, isFirst)}>
      ≠ {formatShare(counts.share)}
    </span>
  );
}

/** In a comparison: what happened to the item, visible at every distance. */
export function DifferenceBorder({ id }: { readonly id: string }) {
  const isCompared = useInterface(({ view }) => view === "version");
  const difference = use(DifferencesContext).get(id);
  return isCompared && difference !== undefined && <i className={`difference ${difference.toLowerCase()}`} />;
}

interface ProblemsProps {
  readonly id: string;
  readonly issues: readonly Issue[];
}

/**
 * A fresh node still needs settings, and one that the user has not left yet is unfinished. One that only lacks a reader
 * is then quiet. Anything else is loud.
 */
function Problems({ id, issues }: ProblemsProps) {
  const wasLeft = useInterface(({ leftIds }) => leftIds.has(id));
  if (!wasLeft && issues.every(isLooseEnd)) return null;
  const isNew = !wasLeft || isFresh(issues);
  const reasons = listReasons(issues);
  return (
    <span className={isNew ? "mark setup" : "mark bad"} role="img" aria-label={reasons} title={reasons}>
      {isNew ? chooseNextStep(issues) : `▲ ${issues.length}`}
    </span>
  );
}

/** What is allowed but seldom meant. */
function Warnings({ issues }: { readonly issues: readonly Issue[] }) {
  const reasons = listReasons(issues);
  return (
    <span className="mark setup" role="img" aria-label={reasons} title={reasons}>
      ▲ {issues.length}
    </span>
  );
}

function listReasons(issues: readonly Issue[]): string {
  return issues
    .map(wordIssue)
    .map(({ message, hint }) => `${message} ${hint}`.replaceAll("`", ""))
    .join("\n");
}
