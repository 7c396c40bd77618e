import { expect, it } from "vitest";
import { operator } from "../editor/samples";
import { likely } from "./likely";

const named = (...names: readonly string[]) => names.map((name) => operator(name, {}));

it("puts first what most often follows", () => {
  const offered = named("flat_map", "to", "filter", "group_by_key", "map_values", "peek");

  expect(likely(offered, "stream").map(({ name }) => name)).toEqual(["filter", "map_values", "group_by_key", "to"]);
});

it("writes what has just become a stream", () => {
  const names = likely(named("filter", "map_values", "to"), "to_stream").map(({ name }) => name);

  expect(names).toEqual(["to", "filter", "map_values"]);
});

it("does not repeat what it follows", () => {
  expect(likely(named("filter", "to"), "filter").map(({ name }) => name)).toEqual(["to"]);
});

it("names no more than one sees at a glance", () => {
  const offered = named("filter", "map_values", "select_key", "group_by_key", "join", "left_join", "to");

  expect(likely(offered, "stream")).toHaveLength(5);
});
