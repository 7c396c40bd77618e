import { useEffect, useRef, useState } from "react";
import type uPlot from "uplot";
import { clockTime, dataOf, plotInto } from "./plot";
import type { Columns } from "./series";
import { useScheme } from "./useScheme";
import "uplot/dist/uPlot.min.css";
import "./Chart.css";

interface Props {
  readonly title: string;
  readonly columns: Columns;
  readonly said: (value: number | null) => string;
  readonly tick: (value: number) => string;
}

/** Charts side by side share their cursor. */
const GROUP = "metrics";

/** The last hour of one number, with its newest value in words, or the value under the cursor. */
export function Chart({ title, columns, said, tick }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [index, setIndex] = useState<number | null>(null);
  const scheme = useScheme();
  const [times, values] = columns;
  const newest = said(values.at(-1) ?? null);
  const first = useRef(columns);

  useEffect(() => {
    if (place.current === null) return;
    const drawn = plotInto(place.current, first.current, { group: GROUP, tick, pointed: setIndex });
    plot.current = drawn;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) drawn.setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      plot.current = null;
      drawn.destroy();
    };
  }, [tick, scheme]);

  useEffect(() => {
    first.current = columns;
    plot.current?.setData(dataOf(columns));
  }, [columns]);

  const at = index === null ? undefined : times[index];
  return (
    <figure className="chart">
      <figcaption>
        <b>{title}</b>{" "}
        <span className="number">{at === undefined ? newest : said(values[index ?? 0] ?? null)}</span>
        {at !== undefined && <span className="when number quiet">{clockTime(at)}</span>}
      </figcaption>
      <div className="plot" ref={place} role="img" aria-label={`${title} of the last hour, now ${newest}`} />
    </figure>
  );
}
