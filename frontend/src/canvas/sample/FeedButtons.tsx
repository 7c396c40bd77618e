import { useState, type ReactNode } from "react";
import { changeSampleFeed, sendBrokenRecords, type SampleFeed } from "../../api/feed";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { findFaster, findSlower } from "./pace";

const BROKEN = 10;

interface Props {
  readonly feed: SampleFeed;
  readonly onChange: () => Promise<void>;
  /** One more button, after those that break something. */
  readonly children: ReactNode;
}

/** Controls the feed: pause, pace, and records that no format can read. */
export function FeedButtons({ feed, onChange, children }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const act = async (request: () => Promise<unknown>) => {
    setBusy(true);
    setRefusal(null);
    await request().then(onChange, (error: unknown) => setRefusal(toRefusal(error)));
    setBusy(false);
  };
  const toRate = (rate: number | null) => () => {
    if (rate !== null) void act(() => changeSampleFeed({ rate }));
  };
  const togglePause = () => void act(() => changeSampleFeed({ is_paused: !feed.is_paused }));
  const why = useWhyNot("operator");
  const isOff = isBusy || !feed.is_alive;
  return (
    <>
      {!feed.is_alive && (
        <p className="quiet">
          The feed is not running. <code>make run</code> starts it, or <code>streamwright up</code> of an installed
          package.
        </p>
      )}
      <div className="buttons">
        <Button why={why} disabled={isOff} onClick={togglePause}>
          {feed.is_paused ? "Resume" : "Pause"}
        </Button>
        <Button why={why} disabled={isOff || findSlower(feed.rate) === null} onClick={toRate(findSlower(feed.rate))}>
          Slower
        </Button>
        <Button why={why} disabled={isOff || findFaster(feed.rate) === null} onClick={toRate(findFaster(feed.rate))}>
          Faster
        </Button>
      </div>
      <div className="buttons">
        <Button why={why} disabled={isOff} onClick={() => void act(() => sendBrokenRecords(BROKEN))}>
          Send ten broken records
        </Button>
        {children}
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </>
  );
}
