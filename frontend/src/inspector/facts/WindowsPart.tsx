import { tryWindows } from "../../api/calls";
import type { Graph } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { formatRecordTime } from "../../ui/text/content";
import { formatSpan } from "../form/durations";
import { useTrialAnswer } from "./useTrialAnswer";
import { drawWindows, ROW, WIDTH } from "./drawWindows";
import "./BeneathPart.css";

interface Props {
  readonly id: string;
  readonly graph: Graph;
}

/** The windows of the topics' newest records, each with its grace period, and the late records. */
export function WindowsPart({ id, graph }: Props) {
  const windows = useTrialAnswer(id, graph, tryWindows);
  const picture = windows && drawWindows(windows);
  if (windows === null || picture === null) return null;
  const { bars, from, to, remainder } = picture;
  const span = `${formatRecordTime(from)} to ${formatRecordTime(to)}`;
  const late = `${windows.late === 0 ? "No record" : formatAmount(windows.late, "record")} would be late.`;
  return (
    <section className="part beneath" aria-label="Windows">
      <h3>Windows of the newest records</h3>
      <svg
        className="windows-picture"
        viewBox={`-4 -2 ${WIDTH + 8} ${bars.length * ROW + 4}`}
        role="img"
        aria-label={`${formatAmount(bars.length, "window")} from ${span}. ${late}`}
      >
        {bars.map((bar) => (
          <g key={`${bar.start} ${bar.end}`} transform={`translate(0 ${bar.y})`}>
            <title>{`${formatRecordTime(bar.start)} to ${formatRecordTime(bar.end)}`}</title>
            {bar.grace > 0 && <rect className="grace" x={bar.x + bar.width} y="3" width={bar.grace} height={ROW - 6} />}
            <rect className="window" x={bar.x} y="1" width={bar.width} height={ROW - 2} rx="2" />
            {bar.dots.map((x) => (
              <circle key={x} cx={x} cy={ROW / 2} r="1.8" />
            ))}
          </g>
        ))}
      </svg>
      <p className="quiet">
        {formatRecordTime(from)} to {formatRecordTime(to)}
        {remainder > 0 && `, and ${formatAmount(remainder, "earlier window")}`}.{" "}
        {windows.grace_ms > 0 && `The dashed part is the grace period of ${formatSpan(windows.grace_ms)}. `}
        {late}
      </p>
    </section>
  );
}
