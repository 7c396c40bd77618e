/** The requests of the tab Tables, and the identity of its rows. */
import { formatRecordTime } from "../../ui/text/content";
import type { RowsQuery, Table, TableRow } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";

export const PAGE = 100;
export const MAX_ROWS = 1_000;
const DAY = "2013-01-17 ".length;

/** The query for a table's rows, or for those of one key. The newest windows come first. */
export function makeQuery({ windows }: Pick<Table, "windows">, key: string, limit: number): RowsQuery {
  return { limit, descending: windows !== null, key: key === "" ? null : key };
}

/** "0 of 1 part is ready." while a table is restored. */
export function formatReady(ready: number, all: number): string {
  return `${formatCount(ready)} of ${formatAmount(all, "part")} ${all === 1 ? "is" : "are"} ready.`;
}

/** "2013-01-17 18:00:00.000 – 19:00:00.000", in local time. */
export function formatWindow({ start, end }: NonNullable<TableRow["window"]>): string {
  const [from, to] = [formatRecordTime(start), formatRecordTime(end)];
  const isSameDay = from.slice(0, DAY) === to.slice(0, DAY);
  return `${from} – ${isSameDay ? to.slice(DAY) : to}`;
}

export function makeRowKey({ key, window }: Pick<TableRow, "key" | "window">): string {
  return window === null ? key : `${key} ${window.start} ${window.end}`;
}

/** Rows with distinct names, even if a store keeps several for one key and window. */
export function nameRows<Each extends Pick<TableRow, "key" | "window">>(
  rows: readonly Each[],
): readonly { readonly name: string; readonly row: Each }[] {
  const times = new Map<string, number>();
  return rows.map((row) => {
    const key = makeRowKey(row);
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    return { name: time === 1 ? key : `${key} ${time}`, row };
  });
}

/** "7 rows", or for a larger table "the first 100 of 12,345 rows", if the total is known. */
export function describeRows(amount: number, hasMore: boolean, total: number | null): string {
  if (!hasMore) return formatAmount(amount, "row");
  return total !== null && total > amount
    ? `the first ${formatCount(amount)} of ${formatAmount(total, "row")}`
    : `the first ${formatAmount(amount, "row")}`;
}
