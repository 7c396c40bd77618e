import { follow, useFollowing } from "../../editor/interface/following";
import { formatPlace } from "../../inspector/facts/drops";
import type { Origin } from "../../api/types";

interface Props {
  readonly origin: Origin;
  /** The records of one's own that it is among. */
  readonly lines: string | null;
}

/** Where a record came from; follows it from there. */
export function FollowButton({ origin, lines }: Props) {
  const through = useFollowing((following) => following.through) ?? "trial";
  return (
    <button
      type="button"
      className="follow number"
      title="Follow this record"
      aria-label={`Follow ${formatPlace(origin)}`}
      onClick={() => follow({ record: origin }, { lines, through })}
    >
      {formatPlace(origin)}
    </button>
  );
}
