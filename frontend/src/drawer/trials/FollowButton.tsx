import { follow, useFollowing } from "../../editor/interface/following";
import { formatRecordPlace } from "../../ui/text/format";
import type { Origin } from "../../api/types";

interface Props {
  readonly origin: Origin;
  /** The user's own records that include it. */
  readonly lines: string | null;
}

/** The origin of a record. A click follows it from there. */
export function FollowButton({ origin, lines }: Props) {
  const through = useFollowing((following) => following.through) ?? "trial";
  return (
    <button
      type="button"
      className="follow number"
      title="Follow this record"
      aria-label={`Follow ${formatRecordPlace(origin)}`}
      onClick={() => follow({ record: origin }, { lines, through })}
    >
      {formatRecordPlace(origin)}
    </button>
  );
}
