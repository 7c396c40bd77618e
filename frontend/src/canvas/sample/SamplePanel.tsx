import { useState } from "react";
import { fetchSampleFeed, killRun, type SampleFeed } from "../../api/feed";
import type { Job } from "../../api/types";
import { formatCount } from "../../ui/text/format";
import { useInterface, useEditing } from "../../editor/interface/useEditor";
import { Icon } from "../../ui/icons/Icon";
import { Accounting } from "./Accounting";
import { FeedButtons } from "./FeedButtons";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { useWhyNot } from "../../api/rights";
import { useLive } from "../../live/LiveContext";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { noteHeight } from "../flow/room";
import "./SamplePanel.css";

/** Try the drawing: control the sample feed, break records, kill the run, and see that nothing is lost. */
export function SamplePanel({ job }: { readonly job: Job | null }) {
  const { feed, reload } = useSampleFeed();
  const node = useSourceOf(feed?.topic ?? null);
  const { isFolded, fold } = useFolding();
  const [isDismissed, setDismissed] = useState(false);
  if (feed === null || node === null || isDismissed) return null;

  return (
    <section className="sample-panel" aria-label="Sample feed" ref={noteHeight}>
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

/** Whether the sample feed's panel shows only its title. This browser remembers it. */
const NAME = "streamwright:sample-folded";

function wasFolded(): boolean {
  try {
    return localStorage.getItem(NAME) === "true";
  } catch {
    return false;
  }
}

function saveFolding(isFolded: boolean): void {
  try {
    localStorage.setItem(NAME, String(isFolded));
  } catch {
    // forbidden: next time it is open again
  }
}

const POLL_MS = 2_000;

/** The current sample feed of this installation, or null if there is none. */
function useSampleFeed(): { readonly feed: SampleFeed | null; readonly reload: () => Promise<void> } {
  const { data, reload } = useResource(fetchSampleFeed);
  usePolling(reload, POLL_MS);
  return { feed: data, reload };
}

/** The first source node of the topology that reads a topic, or null if none does. */
function useSourceOf(topic: string | null): string | null {
  const { graph } = useShownGraph();
  const { operators } = useEditing().rules;
  const reads = graph.nodes.find(
    ({ operator, config }) => config.topic === topic && operators.get(operator)?.family === "sources",
  );
  return topic === null ? null : (reads?.id ?? null);
}

/** Asks, then kills the run's processes as a crash would. */
function KillButton({ job }: { readonly job: Job }) {
  const [isAsking, setAsking] = useState(false);
  const why = useWhyNot("operator", job.project);
  const jobStatus = useLive(({ state }) => state?.jobStatus ?? null);
  const isRunning = jobStatus?.status === "running" || jobStatus?.status === "restoring";
  return (
    <>
      <Button look="danger" disabled={!isRunning} why={why} onClick={() => setAsking(true)}>
        Kill this run
      </Button>
      {isAsking && (
        <Confirm
          title={`Kill run ${jobStatus?.generation ?? ""} of ${job.name}?`}
          verb="Kill"
          look="danger"
          act={() => killRun(job.id)}
          close={() => setAsking(false)}
        >
          <p>
            Its processes end at once, even in the middle of a batch. The job restarts by itself and continues after the
            last committed batch. Nothing is lost, and nothing is written twice.
          </p>
        </Confirm>
      )}
    </>
  );
}
