import type { Origin, TopicUse } from "../../api/types";
import { Link } from "../../ui/routing/Link";
import { hrefs } from "../../ui/routing/route";

interface Props {
  readonly uses: readonly TopicUse[];
  readonly follow: Origin;
}

/** Links to each topology that reads or writes the topic of a record, and follows the record there. */
export function FollowLinks({ uses, follow }: Props) {
  const topologies = new Map(uses.map(({ topology, name }) => [topology, name]));
  return [...topologies].map(([topology, name]) => (
    <Link key={topology} href={hrefs.editor(topology, { follow })} className="link">
      Follow in {name}
    </Link>
  ));
}
