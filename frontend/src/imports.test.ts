import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

const FILES = globSync("**/*.{ts,tsx}", { cwd: import.meta.dirname }).filter((file) => !/\.test\.|\.d\.ts$/.test(file));
const KNOWN = new Set(FILES);

/** The files of the page that a file imports. */
function importsOf(file: string): ReadonlySet<string> {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(import.meta.dirname, file), "utf8"));
  const named = importedFiles.map(({ fileName }) => join(dirname(file), fileName));
  return new Set(named.flatMap((name) => [name, `${name}.ts`, `${name}.tsx`].filter((one) => KNOWN.has(one))));
}

/** What is on a way that leads back to it. */
function onCycles(arrows: Arrows): readonly string[] {
  const left = new Map(arrows);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const into = new Set([...left.values()].flatMap((targets) => [...targets]));
    for (const [from, targets] of left) {
      if (!into.has(from) || ![...targets].some((to) => left.has(to))) left.delete(from);
    }
  }
  return [...left.keys()];
}

const BETWEEN_FILES: Arrows = new Map(FILES.map((file) => [file, importsOf(file)]));

test("a cycle is found, and nothing beside it", () => {
  const arrows = { a: ["b"], b: ["c"], c: ["b", "d"], d: [], e: ["a"] };

  expect(onCycles(new Map(Object.entries(arrows).map(([from, to]) => [from, new Set(to)])))).toEqual(["b", "c"]);
});

test("no file imports itself through others", () => {
  expect(BETWEEN_FILES.size).toBeGreaterThan(300);
  expect(onCycles(BETWEEN_FILES)).toEqual([]);
});
