import { listMentions, noteMentionsSeen, type Mention } from "../../api/comments";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { Button } from "../../ui/controls/Button";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";
import "./MentionNotice.css";

const LOOK_MS = 15_000;

/** Tells a user of comments that name them, on every page, until they have seen these. */
export function MentionNotice() {
  const { data, reload } = useResource(listMentions);
  usePolling(reload, LOOK_MS);
  const [mention, ...others] = data ?? [];
  if (mention === undefined) return null;
  const dismiss = () => void noteMentionsSeen(mention.topology).then(reload, () => undefined);
  return (
    <aside className="mention-notice" role="status" aria-label="Mention">
      <p>
        <b>{mention.author ?? "Somebody"}</b> mentions you on{" "}
        <Link href={hrefs.editor(mention.topology, { node: mention.node })} className="link">
          {nameNode(mention)}
        </Link>
        {others.length > 0 && <span className="quiet"> and {others.length} more</span>}
      </p>
      <p className="quiet">{mention.text}</p>
      <Button onClick={dismiss}>Seen</Button>
    </aside>
  );
}

function nameNode({ node, topology_name: topology }: Mention): string {
  return `${node} of ${topology}`;
}
