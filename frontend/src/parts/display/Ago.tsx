import { useNow } from "../../live/useNow";
import { formatAgo, formatMoment } from "../../numbers/format";

/** How long ago something was, kept current; the exact moment is its title. */
export function Ago({ at }: { readonly at: string | number }) {
  const now = useNow();
  const ms = new Date(at).getTime();
  return (
    <time className="number" dateTime={new Date(ms).toISOString()} title={formatMoment(ms)}>
      {formatAgo(now - ms)}
    </time>
  );
}
