import { Button } from "../../ui/controls/Button";
import { Search } from "../../ui/controls/Search";
import { describeReading } from "./deadLetters";
import type { FoundLetters } from "./useFoundLetters";

const HOUR = 3_600_000;
const TIMES: readonly (readonly [string, number | null])[] = [
  ["Any time", null],
  ["Last hour", HOUR],
  ["Last day", 24 * HOUR],
  ["Last week", 7 * 24 * HOUR],
];

/** The filter of the dead letters, and what was read for it. */
export function FilterBar({ found }: { readonly found: FoundLetters }) {
  const { filter, changeFilter, text, type, data, refusal, reload } = found;
  return (
    <div className="controls filter-bar">
      <Search label="Search dead letters" value={text} change={type} />
      <label className="choice">
        Failed
        <select
          value={String(filter.within)}
          onChange={({ target }) => changeFilter({ within: target.value === "null" ? null : Number(target.value) })}
        >
          {TIMES.map(([word, ms]) => (
            <option key={word} value={String(ms)}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={filter.isWaiting}
          onChange={({ target }) => changeFilter({ isWaiting: target.checked })}
        />
        Not sent back yet
      </label>
      <Button icon="restart" onClick={() => void reload()}>
        Read again
      </Button>
      <p className="quiet extent" role="status">
        {data === null ? refusal === null && "Reading …" : describeReading(data)}
      </p>
    </div>
  );
}
