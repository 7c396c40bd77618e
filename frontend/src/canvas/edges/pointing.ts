/** The edge under the pointer, and briefly after, so that the pointer can reach its button. */
import { create } from "zustand";

export const usePointing = create<{ readonly edge: string | null }>()(() => ({ edge: null }));

const LINGER_MS = 220;
let timer = 0;

export function pointAt(edge: string): void {
  window.clearTimeout(timer);
  usePointing.setState({ edge });
}

export function pointAway(): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => usePointing.setState({ edge: null }), LINGER_MS);
}
