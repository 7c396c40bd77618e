/** The current hint of the tour, and whether this browser has seen it. */
import { createStore } from "zustand/vanilla";
import { isAsking, isTyping } from "../../../ui/browser/isTyping";

const NAME = "streamwright:tour-seen";

interface Running {
  /** The name of the hint, or null while the tour does not run. */
  readonly hint: string | null;
}

export const tour = createStore<Running>(() => ({ hint: null }));

/** Begins with the first hint, even if it was seen before. */
export function startTour(): void {
  tour.setState({ hint: "" });
}

export function showHint(hint: string): void {
  tour.setState({ hint });
}

export function endTour(): void {
  tour.setState({ hint: null });
  try {
    localStorage.setItem(NAME, "true");
  } catch {
    // forbidden: next time it is shown again
  }
}

/** Whether a hint may appear: it takes the focus, and must not take it from a dialog or from what the user writes. */
export function mayInterrupt(): boolean {
  return !isAsking() && !isTyping(document.activeElement);
}

export function wasSeen(): boolean {
  try {
    return localStorage.getItem(NAME) === "true";
  } catch {
    return true;
  }
}
