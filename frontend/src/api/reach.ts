/** Whether the server can be reached, as far as the newest requests know, for those who wait for its return. */

/** Spreads what begins with the server's return, so that tabs do not ask all together. */
const MIN_MS = 100;
const MAX_MS = 400;

const listeners = new Set<() => void>();
let isLost = false;

/** A request has not reached the server. */
export function noteLoss(): void {
  isLost = true;
}

/** A request was answered. After a loss, those who wait are told. */
export function noteAnswer(): void {
  if (!isLost) return;
  isLost = false;
  setTimeout(() => [...listeners].forEach((listen) => listen()), MIN_MS + Math.random() * (MAX_MS - MIN_MS));
}

/** Calls `listen` when the network or the server returns, until the returned function is called. */
export function onReturn(listen: () => void): () => void {
  listeners.add(listen);
  window.addEventListener("online", listen);
  return () => {
    listeners.delete(listen);
    window.removeEventListener("online", listen);
  };
}
