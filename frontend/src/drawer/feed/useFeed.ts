import { useCallback, useEffect, useRef, useState } from "react";
import type { FeedMessage } from "../../api/feed";
import type { Connection } from "../../live/line";
import { keepWhileVisible, makeWiring } from "../../live/socket";
import { Feed } from "./feed";
import { Batcher } from "./batcher";

const REDRAW_MS = 500;

export interface Following<State> {
  readonly state: State;
  readonly connection: Connection;
  readonly isPaused: boolean;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** Everything a feed sent so far, followed while the tab is visible. Give the component a new key for a new path. */
export function useFeed<State>(
  path: string,
  empty: State,
  fold: (state: State, message: FeedMessage) => State,
): Following<State> {
  const [state, setState] = useState(empty);
  const [connection, setConnection] = useState<Connection>("connecting");
  const [isPaused, setPaused] = useState(false);
  const feed = useRef<Feed | null>(null);

  useEffect(() => {
    const take = (messages: readonly FeedMessage[]) => setState((before) => messages.reduce(fold, before));
    const batcher = new Batcher<FeedMessage>(take, REDRAW_MS);
    const onMessage = (message: FeedMessage) => batcher.push(message);
    const newFeed = new Feed(makeWiring(path), { onMessage, onChange: setConnection });
    const letGo = keepWhileVisible(newFeed.line);
    feed.current = newFeed;
    return () => {
      letGo();
      batcher.close();
    };
  }, [path, fold]);

  const pause = useCallback(() => {
    feed.current?.pause();
    setPaused(true);
  }, []);
  const resume = useCallback(() => {
    feed.current?.resume();
    setPaused(false);
  }, []);
  return { state, connection, isPaused, pause, resume };
}
