import { useEffect } from "react";
import { useStore } from "zustand";
import { useEditing } from "../editor/interface/useEditor";
import { hintsThere } from "./hints";
import { HintBox } from "./HintBox";
import { endTour, goOn, startTour, tour, wasSeen } from "./running";

/** Time (ms) for the parts of the screen to be there, and between two looks whether a dialog still covers them. */
const SETTLING_MS = 800;

/** Five hints on the screen itself, once per browser, on a canvas where nothing is drawn; `startTour` shows them. */
export function Tour() {
  const { store } = useEditing();
  const name = useStore(tour, ({ hint }) => hint);

  useEffect(() => {
    const isEmpty = () => store.getState().document.graph.nodes.length === 0;
    if (wasSeen() || !isEmpty()) return;
    const timer = window.setInterval(() => {
      if (document.querySelector("dialog[open]") !== null) return;
      window.clearInterval(timer);
      if (isEmpty()) startTour();
    }, SETTLING_MS);
    return () => window.clearInterval(timer);
  }, [store]);

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
