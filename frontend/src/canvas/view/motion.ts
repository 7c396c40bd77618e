import { create } from "zustand";

const KEPT_AS = "streamwright:motion";

interface Motion {
  /** Whether edges show the flow. This browser keeps it. Off if the user prefers reduced motion. */
  readonly isMoving: boolean;
  readonly setMoving: (isMoving: boolean) => void;
}

export const useMotion = create<Motion>()((set) => ({
  isMoving: readMotion() ?? !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
  setMoving: (isMoving) => {
    set({ isMoving });
    try {
      localStorage.setItem(KEPT_AS, String(isMoving));
    } catch {
      // it holds until the user leaves the page
    }
  },
}));

function readMotion(): boolean | null {
  try {
    const word = localStorage.getItem(KEPT_AS);
    return word === null ? null : word === "true";
  } catch {
    return null;
  }
}
