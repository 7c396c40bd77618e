import { useSyncExternalStore } from "react";
import { HINTS, type Hint } from "./hints";

/** The hints whose place is on the screen: some parts come after the first look, such as the sample feed. */
export function useHintsThere(): readonly Hint[] {
  const names = useSyncExternalStore(subscribe, readNames);
  return HINTS.filter(({ name }) => names.includes(name));
}

function subscribe(notify: () => void): () => void {
  const observer = new MutationObserver(notify);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** One text, so that React sees when something has changed. */
function readNames(): string {
  return HINTS.filter(({ find }) => find() !== null)
    .map(({ name }) => name)
    .join(" ");
}
