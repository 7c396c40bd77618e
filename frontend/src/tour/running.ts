/** Which hint of the tour is shown, and whether this browser has seen it. */
import { createStore } from "zustand/vanilla";

const NAME = "streamwright:tour-seen";

interface Running {
  /** The name of the hint; null while the tour does not run. */
  readonly hint: string | null;
}

export const tour = createStore<Running>(() => ({ hint: null }));

/** Begin with the first hint, whether it was seen before. */
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
    // forbidden: it is shown again next time
  }
}

export function wasSeen(): boolean {
  try {
    return localStorage.getItem(NAME) === "true";
  } catch {
    return true;
  }
}
