import { useState } from "react";
import type { SampleFeed } from "../../api/feed";
import type { Job } from "../../api/types";
import { formatCount } from "../../ui/text/format";
import { useInterface } from "../../editor/interface/useEditor";
import { Icon } from "../../ui/icons/Icon";
import { Accounting } from "./Accounting";
import { FeedButtons } from "./FeedButtons";
import { KillButton } from "./KillButton";
import { saveFolding, wasFolded } from "./folding";
import { useSampleFeed } from "./useSampleFeed";
import { useSourceOf } from "./useSourceOf";
import "./SamplePanel.css";

/** Try the drawing: control the sample feed, break records, kill the run, and see that nothing is lost. */
export function SamplePanel({ job }: { readonly job: Job | null }) {
  const { feed, reload } = useSampleFeed();
  const node = useSourceOf(feed?.topic ?? null);
  const { isFolded, fold } = useFolding();
  const [isDismissed, setDismissed] = useState(false);
  if (feed === null || node === null || isDismissed) return null;

  return (
    <section className="sample-panel" aria-label="Sample feed">
      <header>
        <button type="button" className="fold" aria-expanded={!isFolded} onClick={fold}>
          Sample feed
        </button>
        <span className="number quiet">{describeFeed(feed)}</span>
        <button type="button" className="leave" aria-label="Dismiss the sample feed" onClick={() => setDismissed(true)}>
          <Icon name="close" size={12} />
        </button>
      </header>
      {!isFolded && (
        <div className="body">
          <FeedButtons feed={feed} onChange={reload}>
            {job !== null && <KillButton job={job} />}
          </FeedButtons>
          {job !== null && <Accounting key={job.id} job={job} topic={feed.topic} node={node} />}
        </div>
      )}
    </section>
  );
}

/** "500/s, 10 broken" */
function describeFeed({ broken, ...feed }: SampleFeed): string {
  return broken > 0 ? `${describePace(feed)}, ${formatCount(broken)} broken` : describePace(feed);
}

/** Folded by choice. Beside an open drawer there is little room, so it is folded until the user opens it. */
function useFolding(): { readonly isFolded: boolean; readonly fold: () => void } {
  const isBeside = useInterface(({ drawer }) => drawer !== null);
  const [choice, setChoice] = useState<{ readonly isBeside: boolean; readonly isFolded: boolean } | null>(null);
  const isFolded = choice?.isBeside === isBeside ? choice.isFolded : isBeside || wasFolded();
  const fold = () => {
    if (!isBeside) saveFolding(!isFolded);
    setChoice({ isBeside, isFolded: !isFolded });
  };
  return { isFolded, fold };
}

function describePace({ is_alive, is_paused, rate }: Pick<SampleFeed, "is_alive" | "is_paused" | "rate">): string {
  if (!is_alive) return "not running";
  if (is_paused) return "paused";
  return rate === 0 ? "at full speed" : `${formatCount(rate)}/s`;
}
