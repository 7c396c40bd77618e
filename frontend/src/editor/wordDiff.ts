/** What two texts differ in, word by word. */

export interface Part {
  readonly text: string;
  readonly is: "same" | "removed" | "added";
}

/** Above this many pairs of words, texts are told as a whole: nobody reads more. */
const MAX_PAIRS = 1_000_000;

/** The parts of both texts, in order. What changed in one place stands together: first what went, then what came. */
export function wordDiff(before: string, after: string): readonly Part[] {
  const [was, now] = [wordsOf(before), wordsOf(after)];
  if (was.length * now.length > MAX_PAIRS) return joined([...as("removed", [before]), ...as("added", [after])]);
  const common = commonLengths(was, now);
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  while (i < was.length || j < now.length) {
    if (i < was.length && was[i] === now[j]) {
      parts.push(...as("same", [was[i] ?? ""]));
      [i, j] = [i + 1, j + 1];
    } else if (j >= now.length || (i < was.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      parts.push(...as("removed", [was[i] ?? ""]));
      i += 1;
    } else {
      parts.push(...as("added", [now[j] ?? ""]));
      j += 1;
    }
  }
  return joined(parts);
}

/** Names and numbers as a whole, each sign alone. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** How many words the rests of both texts have in common, from each pair of places. */
function commonLengths(was: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const rows: number[][] = [new Array<number>(now.length + 1).fill(0)];
  for (const word of was.toReversed()) {
    const below = rows.at(-1) ?? [];
    const row = new Array<number>(now.length + 1).fill(0);
    for (let j = now.length - 1; j >= 0; j -= 1) {
      row[j] = word === now[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
    rows.push(row);
  }
  return rows.reverse();
}

function as(is: Part["is"], words: readonly string[]): readonly Part[] {
  return words.map((text) => ({ text, is }));
}

/** Between two words that stayed, all that went stands before all that came. */
function joined(parts: readonly Part[]): readonly Part[] {
  const told: Part[] = [];
  let [removed, added] = ["", ""];
  const flush = () => {
    if (removed !== "") told.push({ text: removed, is: "removed" });
    if (added !== "") told.push({ text: added, is: "added" });
    [removed, added] = ["", ""];
  };
  for (const { text, is } of parts) {
    if (is === "removed") removed += text;
    else if (is === "added") added += text;
    else {
      flush();
      const last = told.at(-1);
      if (last?.is === "same") told[told.length - 1] = { text: last.text + text, is };
      else told.push({ text, is });
    }
  }
  flush();
  return told;
}
