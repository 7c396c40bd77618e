/** The state of a log's tail: the newest lines last, up to a limit, and the count of each level. */
import type { FeedMessage, LogLine } from "../../api/feed";
import { applyNoteMessage, type Note } from "../feed/notes";

export const MAX_LINES = 2_000;

export interface Log {
  readonly lines: readonly LogLine[];
  readonly skipCount: number;
  readonly note: Note | null;
}

/** The levels on the chips. A debug line counts as information. Lines of Spark and Java have their own level. */
export type Level = Exclude<NonNullable<LogLine["level"]>, "DEBUG">;

export const NO_LOG: Log = { lines: [], skipCount: 0, note: null };

export function applyLogMessage(log: Log, message: FeedMessage): Log {
  if (message.type !== "lines") return { ...log, note: applyNoteMessage(log.note, message) };
  return { lines: withNewer(log.lines, message.lines), skipCount: log.skipCount + message.skipped, note: null };
}

export function readLevel({ level }: Pick<LogLine, "level">): Level {
  return level === null || level === "DEBUG" ? "INFO" : level;
}

export function countLevels(lines: readonly LogLine[]): Readonly<Record<Level, number>> {
  const counts = { ERROR: 0, WARNING: 0, INFO: 0, SPARK: 0 };
  for (const line of lines) counts[readLevel(line)] += 1;
  return counts;
}

/** The lines with the text, of one level or of all but Spark's. */
export function filterLines(lines: readonly LogLine[], level: Level | "ALL", text: string): readonly LogLine[] {
  const query = text.trim().toLowerCase();
  const isWanted = (line: LogLine) => (level === "ALL" ? readLevel(line) !== "SPARK" : readLevel(line) === level);
  return lines.filter((line) => isWanted(line) && holds(line, query));
}

function holds({ logger, text }: LogLine, query: string): boolean {
  return text.toLowerCase().includes(query) || logger.toLowerCase().includes(query);
}

/** A new connection sends the end of the log again. A log that starts over has lower numbers. */
function withNewer(before: readonly LogLine[], came: readonly LogLine[]): readonly LogLine[] {
  const last = before.at(-1)?.number ?? 0;
  const hasBegunAnew = (came.at(-1)?.number ?? last) < last;
  if (hasBegunAnew) return came;
  const fresh = came.filter(({ number }) => number > last);
  return fresh.length === 0 ? before : [...before, ...fresh].slice(-MAX_LINES);
}
