/** Sends the same records again and again at a rate, for as long as the dialog is open and within its limit. */
import type { Landed } from "../../api/types";

export const MAX_RATE = 1_000;
export const MAX_REPEATED = 100_000;
const SECOND_MS = 1_000;

export interface Progress {
  readonly sent: number;
  readonly newest: readonly Landed[];
}

/**
 * Send `amount` records at `rate` a second, a part each second. Ends at the limit, when `isStopped` says so, or with
 * what `send` throws.
 */
export async function repeat(
  rate: number,
  amount: number,
  send: (count: number) => Promise<readonly Landed[]>,
  tell: (progress: Progress) => void,
  isStopped: () => boolean,
  wait: (ms: number) => Promise<void> = pause,
): Promise<void> {
  let sent = 0;
  while (sent < amount && !isStopped()) {
    const began = Date.now();
    const newest = await send(Math.min(rate, amount - sent));
    sent += newest.length;
    tell({ sent, newest });
    if (sent < amount && !isStopped()) await wait(Math.max(0, SECOND_MS - (Date.now() - began)));
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
