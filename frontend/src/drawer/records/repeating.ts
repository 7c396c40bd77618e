/** Sends records in parts, or again and again at a rate, until the dialog is closed or a limit is reached. */
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

/** Send all records, a part after the other. Ends with what `send` throws. */
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

/** The records that follow after `from` are sent: the first comes again after the last. */
export function takeTurn<T>(records: readonly T[], count: number, from: number): readonly T[] {
  return Array.from({ length: count }, (_, index) => records[(from + index) % records.length]).filter(
    (record) => record !== undefined,
  );
}

/**
 * Send `amount` records at `rate` a second, a part each second. Ends at the limit, when `isStopped` says so, or with
 * what `send` throws.
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
