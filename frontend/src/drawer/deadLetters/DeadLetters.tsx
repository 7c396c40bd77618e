import { findDeadLetter, makeDeadLettersPath, type FeedRecord } from "../../api/feed";
import { useCluster } from "../../editor/interface/useCluster";
import { useInterfaceActions } from "../../editor/interface/useEditor";
import { useLive } from "../../live/LiveContext";
import { formatAmount, formatCount } from "../../ui/text/format";
import { useDeployment } from "../../editor/interface/useDeployment";
import { Button } from "../../ui/controls/Button";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import { FollowRecord } from "../records/FollowRecord";
import { MakeCaseOf } from "../records/MakeCaseOf";
import { findOrigin } from "./deadLetters";
import { countAll, useEarlier } from "./earlier";
import { TailPane } from "../records/TailPane";
import { useSending } from "../records/useSending";
import { useSelectedNode } from "../../editor/interface/useSelectedNode";

/** The failed records of the selected node, or of all nodes, with the reason first. */
export function DeadLetters() {
  const { job } = useDeployment();
  const node = useSelectedNode();
  const earlier = useEarlier();
  const letters = useLive(({ state }) => countAll(state?.numbers, earlier, node));
  const all = useLive(({ state }) => countAll(state?.numbers, earlier, null));
  const sending = useSending(useCluster(), null);
  const { select } = useInterfaceActions();
  if (job === null) return <p className="nothing">No job runs this topology yet. Deploy it to see dead letters.</p>;
  const actions = (record: FeedRecord) => {
    const letter = findDeadLetter(record);
    const origin = findOrigin(letter);
    const topic = letter?.is_input === true ? letter.topic : null;
    return sending.actions(
      record,
      topic,
      origin !== null && (
        <>
          <FollowRecord target={{ record: origin }} />
          <MakeCaseOf records={[origin]} />
        </>
      ),
    );
  };
  const path = makeDeadLettersPath(job.id, node);
  return (
    <TailPane key={path} path={path} label="Dead letters" empty={explainEmpty(node)} actions={actions} areDeadLetters>
      {sending.dialog}
      <span>
        Failed on <b>{node ?? "any node"}</b>
      </span>
      <span className="quiet number">{letters !== null && formatAmount(letters, "letter")}</span>
      <Link href={hrefs.deadLettersOf(job.topology)} className="link">
        Group, try and redrive
      </Link>
      {node !== null && (
        <Button onClick={() => select([])}>Show all nodes{all !== null && ` (${formatCount(all)})`}</Button>
      )}
    </TailPane>
  );
}

function explainEmpty(node: string | null): string {
  return node === null ? "No record has failed." : `No record has failed on ${node}.`;
}
