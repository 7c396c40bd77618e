/** What the pointer rests on while the job runs: a card appears beside it after a moment, and stays while used. */
import { create } from "zustand";

export type Spot =
  | { readonly of: "node"; readonly node: string }
  | { readonly of: "edge"; readonly key: string; readonly source: string; readonly target: string };

interface Glance {
  readonly spot: Spot | null;
}

export const useGlance = create<Glance>()(() => ({ spot: null }));

const OPEN_MS = 500;
const CLOSE_MS = 220;
let timer = 0;
/** What the pointer is on, whether its card is open or not. */
let under: Spot | null = null;

/** Opens the card of a spot when the pointer has rested there. An open card moves over at once. */
export function rest(spot: Spot): void {
  under = spot;
  window.clearTimeout(timer);
  const wait = useGlance.getState().spot === null ? OPEN_MS : CLOSE_MS;
  timer = window.setTimeout(() => useGlance.setState({ spot }), wait);
}

/** The pointer is on the card: it stays. */
export function hold(): void {
  window.clearTimeout(timer);
}

/** Closes the card soon, so that the pointer can reach it. */
export function leave(): void {
  under = null;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => useGlance.setState({ spot: null }), CLOSE_MS);
}

export function closeGlance(): void {
  under = null;
  window.clearTimeout(timer);
  if (useGlance.getState().spot !== null) useGlance.setState({ spot: null });
}

/** The user moves the view: a card under the pointer would take the wheel. It opens once the view rests. */
export function giveWay(): void {
  const spot = under;
  closeGlance();
  if (spot !== null) rest(spot);
}
