import { memo } from "react";
import type { LogLine } from "../../api/feed";
import { formatLogTime } from "../../ui/text/content";
import { readLevel } from "./log";

/** A line of a log: time, level, source, text. The lines of a longer entry are indented under its first. */
export const LogLineRow = memo(function LogLineRow({ line }: { readonly line: LogLine }) {
  const { at, level, logger, text } = line;
  return (
    <div className={`line ${readLevel(line).toLowerCase()}`}>
      <span className="quiet">{at === null ? "" : formatLogTime(at)}</span>
      <span className="level">{at === null ? "" : level}</span>
      <span className="text">
        {logger !== "" && <span className="quiet">{logger} </span>}
        {text}
      </span>
    </div>
  );
});
