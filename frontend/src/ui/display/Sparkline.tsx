import { drawSparkPaths } from "./sparkline";
import "./Sparkline.css";

interface Props {
  readonly values: readonly number[];
  /** The accessible name of the line, for example "Throughput of the last five minutes". */
  readonly label: string;
  readonly slots?: number;
  readonly tone?: "accent" | "quiet" | "warn";
}

const WIDTH = 240;
const HEIGHT = 40;

/** A line without axes: the recent values of a number. It fills its place. */
export function Sparkline({ values, label, slots = 120, tone = "accent" }: Props) {
  const { line, area } = drawSparkPaths(values, WIDTH, HEIGHT, slots);
  return (
    <svg
      className={`sparkline ${tone}`}
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line className="floor" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      <path className="area" d={area} />
      <path className="line" d={line} />
    </svg>
  );
}
