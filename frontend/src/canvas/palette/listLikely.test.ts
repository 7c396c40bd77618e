import { expect, it } from "vitest";
import { gives, operator } from "../../editor/samples";
import { listLikely } from "./listLikely";

const OFFERED = [
  operator("rare", {}),
  operator("write", { follows: 1, topic_use: "writes" }),
  operator("keep", { follows: 7 }),
  operator("shape", { follows: 6 }),
];
const names = (...args: Parameters<typeof listLikely>) => listLikely(...args).map(({ name }) => name);

it("puts the most frequent operator first, and leaves out rare ones", () => {
  expect(names(OFFERED, operator("read", {}))).toEqual(["keep", "shape", "write"]);
});

it("writes what has just become a stream", () => {
  const table = operator("end", {
    inputs: [{ name: "table", takes: ["KTable"] }],
    outputs: [{ cases: [gives("KStream")] }],
  });

  expect(names(OFFERED, table)).toEqual(["write", "keep", "shape"]);
});

it("does not repeat what it follows", () => {
  expect(names(OFFERED, OFFERED[2])).toEqual(["shape", "write"]);
});

it("names no more than one sees at a glance", () => {
  const offered = Array.from({ length: 9 }, (_, rank) => operator(`o${rank}`, { follows: rank + 1 }));

  expect(listLikely(offered, undefined)).toHaveLength(6);
});
