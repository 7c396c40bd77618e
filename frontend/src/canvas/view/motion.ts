import { create } from "zustand";

const KEPT_AS = "streamwright:motion";

interface Motion {
  /** Whether edges show that something flows; kept by this browser, off where its owner wants little motion. */
  readonly moves: boolean;
  readonly setMoves: (moves: boolean) => void;
}

export const useMotion = create<Motion>()((set) => ({
  moves: keptMotion() ?? !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
  setMoves: (moves) => {
    set({ moves });
    try {
      localStorage.setItem(KEPT_AS, String(moves));
    } catch {
      // it holds until the page is left
    }
  },
}));

function keptMotion(): boolean | null {
  try {
    const word = localStorage.getItem(KEPT_AS);
    return word === null ? null : word === "true";
  } catch {
    return null;
  }
}
