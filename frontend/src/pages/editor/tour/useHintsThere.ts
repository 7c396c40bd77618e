import { useSyncExternalStore } from "react";
import { HINTS, type Hint } from "./hints";

/** The hints with their targets on the screen. Some parts, such as the sample feed, appear later. */
export function useHintsThere(): readonly Hint[] {
  const names = useSyncExternalStore(subscribe, readNames);
  return HINTS.filter(({ name }) => names.includes(name));
}

function subscribe(notify: () => void): () => void {
  const observer = new MutationObserver(notify);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** One text, so that React notices changes. */
function readNames(): string {
  return HINTS.filter(({ find }) => find() !== null)
    .map(({ name }) => name)
    .join(" ");
}
