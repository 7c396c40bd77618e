import { expect, it } from "vitest";
import { edge, node } from "../samples";
import { findRenames } from "./renames";

const LENGTH = 60;

/** Filters that all do the same, one after the other. Counts how often an edge is read. */
function chain(name: string, top: number, read: () => void = () => undefined) {
  const ids = Array.from({ length: LENGTH }, (_, place) => `${name}${place}`);
  const edges = ids.slice(1).map((target, place) => ({
    ...edge(`${name}${place} ${target}`),
    get source() {
      read();
      return `${name}${place}`;
    },
  }));
  return { nodes: ids.map((id, place) => node(id, "filter", place * 240, top)), edges };
}

it("reads each edge a few times, however many nodes were replaced by others", () => {
  let reads = 0;

  const renames = findRenames(chain("old", 0, () => (reads += 1)), chain("new", 100));

  expect([...renames]).toEqual([]);
  expect(reads).toBeLessThan(10 * LENGTH);
});
