import { useEffect } from "react";
import { useStore } from "zustand";
import { hintsThere } from "./hints";
import { HintBox } from "./HintBox";
import { endTour, goOn, startTour, tour, wasSeen } from "./running";

/** Time (ms) for the parts of the screen to be there, and between two looks whether a dialog still covers them. */
const SETTLING_MS = 800;

/** Five hints on the screen itself, once per browser; `startTour` shows them again. */
export function Tour() {
  const name = useStore(tour, ({ hint }) => hint);

  useEffect(() => {
    if (wasSeen()) return;
    const timer = window.setInterval(() => {
      if (document.querySelector("dialog[open]") !== null) return;
      window.clearInterval(timer);
      startTour();
    }, SETTLING_MS);
    return () => window.clearInterval(timer);
  }, []);

  if (name === null) return null;
  const hints = hintsThere();
  const index = Math.max(0, hints.findIndex((hint) => hint.name === name));
  const hint = hints[index];
  if (hint === undefined) return null;
  const next = hints[index + 1];
  return (
    <HintBox
      hint={hint}
      count={`${index + 1} of ${hints.length}`}
      isLast={next === undefined}
      next={() => (next === undefined ? endTour() : goOn(next.name))}
      skip={endTour}
    />
  );
}
