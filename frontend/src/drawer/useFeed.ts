import { useCallback, useEffect, useRef, useState } from "react";
import type { FeedMessage } from "../api/feed";
import { signIn } from "../api/session";
import { Feed, type FeedConnection } from "./feed";
import { Paced } from "./paced";

const REDRAW_MS = 500;

export interface Following<State> {
  readonly state: State;
  readonly connection: FeedConnection;
  readonly paused: boolean;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** What a feed told so far, followed while the tab is seen. For another path give the component another key. */
export function useFeed<State>(
  path: string,
  empty: State,
  fold: (state: State, message: FeedMessage) => State,
): Following<State> {
  const [state, setState] = useState(empty);
  const [connection, setConnection] = useState<FeedConnection>("connecting");
  const [paused, setPaused] = useState(false);
  const feed = useRef<Feed | null>(null);

  useEffect(() => {
    const paced = new Paced<FeedMessage>((messages) => setState((before) => messages.reduce(fold, before)), REDRAW_MS);
    const opened = follow(path, (message) => paced.push(message), setConnection);
    feed.current = opened.feed;
    return () => {
      opened.close();
      paced.close();
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
  return { state, connection, paused, pause, resume };
}

/** Follow a path while the tab is seen, until closed. */
function follow(
  path: string,
  heard: (message: FeedMessage) => void,
  changed: (connection: FeedConnection) => void,
): { readonly feed: Feed; readonly close: () => void } {
  const feed = new Feed({
    open: () => new WebSocket(window.location.origin.replace(/^http/, "ws") + path),
    heard,
    changed,
    signIn: () => void signIn(),
    wait: (ms, then) => {
      const timer = window.setTimeout(then, ms);
      return () => window.clearTimeout(timer);
    },
  });
  const look = () => (document.hidden ? feed.sleep() : feed.wake());
  const online = () => feed.hurry();
  look();
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", online);
  const close = () => {
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("online", online);
    feed.sleep();
  };
  return { feed, close };
}
