/** Lines to this site, open while the tab is visible. */
import { onReturn } from "../api/reach";
import { signIn } from "../api/session";
import type { Line, Wiring } from "./line";

export function makeWiring(path: string): Wiring {
  return {
    open: () => new WebSocket(window.location.origin.replace(/^http/, "ws") + path),
    signIn: () => void signIn(),
    wait: (ms, then) => {
      const timer = window.setTimeout(then, ms);
      return () => window.clearTimeout(timer);
    },
  };
}

/** Keeps a line while the tab is visible, until the returned function is called. Calls `onShow` at each wake. */
export function keepWhileVisible(line: Line, onShow: () => void = () => undefined): () => void {
  const look = () => {
    if (document.hidden) {
      line.sleep();
      return;
    }
    line.wake();
    onShow();
  };
  look();
  document.addEventListener("visibilitychange", look);
  const stop = onReturn(() => line.hurry());
  return () => {
    document.removeEventListener("visibilitychange", look);
    stop();
    line.sleep();
  };
}
