/** Sends records in parts, or repeatedly at a rate, until the dialog closes or a limit is reached. */
import type { RecordMetadata, NewRecord } from "../../api/types";
import { splitIntoParts } from "./sending";

export const MAX_RATE = 1_000;
export const MAX_REPEATED = 100_000;
const SECOND_MS = 1_000;

export interface Progress {
  readonly sendCount: number;
  readonly newest: readonly RecordMetadata[];
}

export const NO_PROGRESS: Progress = { sendCount: 0, newest: [] };

/** Sends all records, one part after the other. Throws the errors of `send`. */
export async function sendAll(
  records: readonly NewRecord[],
  send: (part: readonly NewRecord[]) => Promise<readonly RecordMetadata[]>,
  tell: (progress: Progress) => void,
  isStopped: () => boolean,
): Promise<void> {
  let sendCount = 0;
  for (const part of splitIntoParts(records)) {
    if (isStopped()) return;
    const newest = await send(part);
    sendCount += newest.length;
    tell({ sendCount, newest });
  }
}

/** The next records after the first `from`. They start over after the last. */
export function takeTurn<T>(records: readonly T[], count: number, from: number): readonly T[] {
  return Array.from({ length: count }, (_, index) => records[(from + index) % records.length]).filter(
    (record) => record !== undefined,
  );
}

/**
 * Sends `amount` records at `rate` a second, one part each second. Ends at the limit or when `isStopped` says so.
 * Throws the errors of `send`.
 */
export async function sendAtRate(
  rate: number,
  amount: number,
  send: (count: number, from: number) => Promise<readonly RecordMetadata[]>,
  tell: (progress: Progress) => void,
  isStopped: () => boolean,
  wait: (ms: number) => Promise<void> = waitFor,
): Promise<void> {
  let sendCount = 0;
  while (sendCount < amount && !isStopped()) {
    const began = Date.now();
    const newest = await send(Math.min(rate, amount - sendCount), sendCount);
    if (newest.length === 0) return;
    sendCount += newest.length;
    tell({ sendCount, newest });
    if (sendCount < amount && !isStopped()) await wait(Math.max(0, SECOND_MS - (Date.now() - began)));
  }
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
