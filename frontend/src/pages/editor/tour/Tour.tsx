import { useEffect, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useEditing } from "../../../editor/interface/useEditor";
import { HINTS, type Hint } from "./hints";
import { HintBox, subscribeToPage } from "./HintBox";
import { endTour, mayInterrupt, showHint, startTour, tour, wasSeen } from "./running";

/** Time (ms) for the screen to settle, and between two looks whether the user still writes or answers a dialog. */
const SETTLING_MS = 800;

/** A story of one minute in hints, once per browser, on a canvas only if it is empty. `startTour` shows them. */
export function Tour() {
  const { store } = useEditing();
  const name = useStore(tour, ({ hint }) => hint);

  useEffect(() => {
    const isEmpty = () => store.getState().document.graph.nodes.length === 0;
    if (wasSeen() || !isEmpty()) return;
    const timer = window.setInterval(() => {
      if (!mayInterrupt()) return;
      window.clearInterval(timer);
      if (isEmpty()) startTour();
    }, SETTLING_MS);
    return () => window.clearInterval(timer);
  }, [store]);

  return name === null ? null : <HintAt name={name} />;
}

/** The hint of this name, or the next one whose target is there. */
function HintAt({ name }: { readonly name: string }) {
  const hints = useHintsThere();
  const place = HINTS.findIndex((hint) => hint.name === name);
  const index = Math.max(0, hints.findIndex((hint) => HINTS.indexOf(hint) >= place));
  const hint = hints[index];
  useEffect(() => hint?.open?.(), [hint]);
  if (hint === undefined) return null;
  const next = hints[index + 1];
  return (
    <HintBox
      hint={hint}
      count={`${index + 1} of ${hints.length}`}
      isLast={next === undefined}
      next={() => (next === undefined ? endTour() : showHint(next.name))}
      skip={endTour}
    />
  );
}

/** The hints with their targets on the screen. Some parts, such as the sample feed, appear later. */
function useHintsThere(): readonly Hint[] {
  const names = useSyncExternalStore(subscribeToPage, readNames);
  return HINTS.filter(({ name }) => names.includes(name));
}

/** One text, so that React notices changes. */
function readNames(): string {
  return HINTS.filter(({ find }) => find() !== null)
    .map(({ name }) => name)
    .join(" ");
}
