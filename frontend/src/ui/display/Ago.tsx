import { useTimed } from "../../live/useNow";
import { formatAgo, formatMoment } from "../text/format";

/** The age of an event, kept current. Its title is the exact moment. */
export function Ago({ at }: { readonly at: string | number }) {
  const ms = new Date(at).getTime();
  const text = useTimed((now) => formatAgo(now - ms));
  return (
    <time className="number" dateTime={new Date(ms).toISOString()} title={formatMoment(ms)}>
      {text}
    </time>
  );
}
