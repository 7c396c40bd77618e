import { create } from "zustand";

const KEPT_AS = "streamwright:motion";

interface Motion {
  /** Whether edges show that something flows; kept by this browser, off where its owner wants little motion. */
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
      // it holds until the page is left
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
