/** What the tab Tables asks for, and how its rows are told apart. */
import type { Table, TableRow } from "../api/types";

export const PAGE = 100;
export const MOST_ROWS = 1_000;

/** The query string for the first rows of a table, or those of a key; of windows the newest come first. */
export function questionOf(table: Pick<Table, "windows">, key: string, limit: number): string {
  const asked = { limit: String(limit), descending: String(table.windows !== null && key === "") };
  return new URLSearchParams(key === "" ? asked : { ...asked, key }).toString();
}

export function rowKey({ key, window }: Pick<TableRow, "key" | "window">): string {
  return window === null ? key : `${key} ${window.start} ${window.end}`;
}
