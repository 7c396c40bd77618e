import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type uPlot from "uplot";
import { drawPlot, formatClockTime, makeData, PLAIN, type Lines, type Look } from "./plot";
import { findNewest } from "./series";
import { useTheme } from "../../ui/browser/theme";
import "uplot/dist/uPlot.min.css";
import "./Chart.css";

interface Props {
  readonly title: string;
  readonly lines: Lines;
  /** The look of each line. */
  readonly looks?: readonly Look[];
  readonly say: (value: number | null) => string;
  readonly tick: (value: number) => string;
  /** The time span, in words. */
  readonly span?: string;
  readonly isLog?: boolean;
  /** Moments (s) to mark on the time axis. */
  readonly marks?: readonly number[];
}

/** Charts side by side share their cursor. */
const GROUP = "metrics";
const NO_MARKS: readonly number[] = [];

/** One number over time, with its newest value in words, or the value under the cursor. */
export function Chart(props: Props) {
  const { title, lines, looks = PLAIN, say, tick, span = "the last hour", isLog = false, marks = NO_MARKS } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [index, setIndex] = useState<number | null>(null);
  const scheme = useScheme();
  const [times, ...values] = lines;
  const newest = say(findNewest(values[0]));
  const first = useRef(lines);

  useEffect(() => {
    if (place.current === null) return;
    const wishes = { group: GROUP, tick, looks, isLog, marks, onPoint: setIndex };
    const uplot = drawPlot(place.current, first.current, wishes);
    plot.current = uplot;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) uplot.setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      plot.current = null;
      uplot.destroy();
    };
  }, [tick, scheme, looks, isLog, marks]);

  useEffect(() => {
    first.current = lines;
    plot.current?.setData(makeData(lines, isLog));
  }, [lines, isLog]);

  const at = index === null ? undefined : times[index];
  const read = (line: readonly (number | null)[] | undefined) =>
    at === undefined || index === null ? findNewest(line) : (line?.[index] ?? null);
  return (
    <figure className="chart">
      <figcaption>
        <b>{title}</b>{" "}
        {looks.map(
          ({ word = "", tone }, line) =>
            (line === 0 || word !== "") && (
              <span key={line} className="number">
                {word !== "" && <i style={{ color: `var(${tone})` }}>{word}</i>} {say(read(values[line]))}
              </span>
            ),
        )}
        {at !== undefined && <span className="when number quiet">{formatClockTime(at)}</span>}
      </figcaption>
      <div className="plot" ref={place} role="img" aria-label={`${title} of ${span}, now ${newest}`} />
    </figure>
  );
}

const DARK = "(prefers-color-scheme: dark)";

/** The current colour scheme. Content painted by script is repainted when it changes. */
function useScheme(): "light" | "dark" {
  const theme = useTheme(({ theme }) => theme);
  const ofSystem = useSyncExternalStore(subscribe, () => (window.matchMedia(DARK).matches ? "dark" : "light"));
  return theme === "system" ? ofSystem : theme;
}

function subscribe(notify: () => void): () => void {
  const query = window.matchMedia(DARK);
  query.addEventListener("change", notify);
  return () => query.removeEventListener("change", notify);
}
