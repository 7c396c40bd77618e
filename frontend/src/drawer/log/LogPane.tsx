import { useLayoutEffect, useMemo, useRef, useState, memo, type ReactNode } from "react";
import { Button } from "../../ui/controls/Button";
import { Chips } from "../../ui/controls/Chips";
import { Search } from "../../ui/controls/Search";
import { FeedNotices } from "../feed/FeedNotices";
import { applyLogMessage, countLevels, filterLines, NO_LOG, readLevel, type Level } from "./log";
import { SkippedRecords } from "../feed/SkippedRecords";
import { useFeed } from "../feed/useFeed";
import { useItemsView } from "../feed/useItemsView";
import type { LogLine } from "../../api/feed";
import { formatLogTime } from "../../ui/text/content";
import "./LogPane.css";

const NEAR_PX = 24;
/** Lines drawn while following: a flood of lines must not redraw thousands. */
const FOLLOWED = 200;

interface Props {
  readonly path: string;
  readonly label: string;
  readonly children: ReactNode;
}

/** Lines of a log, the newest last. It follows them unless the reader scrolled up. */
export function LogPane({ path, label, children }: Props) {
  const { state: log, connection } = useFeed(path, NO_LOG, applyLogMessage);
  const [level, setLevel] = useState<Level | "ALL">("ALL");
  const [text, setText] = useState("");
  const [isFollowing, setFollows] = useState(true);
  const list = useRef<HTMLDivElement>(null);
  const counts = useMemo(() => countLevels(log.lines), [log.lines]);
  const { visible } = useItemsView(log.lines, !isFollowing, ({ number }) => String(number));
  const matches = useMemo(() => filterLines(visible, level, text), [visible, level, text]);
  const fromEnd = useRef(0);

  useLayoutEffect(() => {
    const { current } = list;
    if (current !== null) current.scrollTop = current.scrollHeight - (isFollowing ? 0 : fromEnd.current);
  }, [isFollowing, matches]);

  const handleScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    fromEnd.current = scrollHeight - scrollTop;
    setFollows(fromEnd.current - clientHeight < NEAR_PX);
  };
  return (
    <>
      <div className="controls">
        {children}
        <Chips
          label="Level"
          current={level}
          choose={setLevel}
          chips={[
            { value: "ALL", word: "All", count: log.lines.length - counts.SPARK },
            { value: "ERROR", word: "Error", count: counts.ERROR },
            { value: "WARNING", word: "Warning", count: counts.WARNING },
            { value: "INFO", word: "Info", count: counts.INFO },
            { value: "SPARK", word: "Spark", count: counts.SPARK },
          ]}
        />
        <Search hasKey={false} label="Search log" value={text} change={setText} />
        {!isFollowing && <Button onClick={() => setFollows(true)}>Follow</Button>}
        <SkippedRecords amount={log.skipCount} />
      </div>
      <FeedNotices connection={connection} note={log.note} />
      <div
        className="lines"
        ref={list}
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
        onScroll={handleScroll}
      >
        {matches.length === 0 && <p className="nothing">{visible.length > 0 ? "No line matches." : "No lines yet."}</p>}
        {(isFollowing ? matches.slice(-FOLLOWED) : matches).map((line) => (
          <LogLineRow key={line.number} line={line} />
        ))}
      </div>
    </>
  );
}

/** A line of a log: time, level, source, text. The lines of a longer entry are indented under its first. */
const LogLineRow = memo(function LogLineRow({ line }: { readonly line: LogLine }) {
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
