import { followRecord, type Origin } from "../../editor/following";
import { placeOf } from "../../inspector/facts/drops";

/** Where a record came from; follows it from there. */
export function FollowButton({ origin }: { readonly origin: Origin }) {
  return (
    <button
      type="button"
      className="follow number"
      title="Follow this record"
      aria-label={`Follow ${placeOf(origin)}`}
      onClick={() => followRecord(origin)}
    >
      {placeOf(origin)}
    </button>
  );
}
