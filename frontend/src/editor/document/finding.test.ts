import { expect, it } from "vitest";
import { findPlaces } from "./finding";
import { node } from "../samples";

const late = { ...node("late", "filter"), config: { predicate: "dep_delay > 60" } };
const flights = { ...node("flights", "stream"), config: { topic: "flights" } };
const sums = { ...node("sums", "aggregate"), config: { functions: [{ name: "mean", expression: "dep_delay" }] } };
const graph = { nodes: [flights, sums, late], edges: [] };

it("finds nodes by name and by operator", () => {
  expect(findPlaces(graph, "LATE")).toEqual([{ node: "late", field: null, text: "filter" }]);
  expect(findPlaces(graph, "aggreg")).toEqual([{ node: "sums", field: null, text: "aggregate" }]);
});

it("finds a topic behind the node of that name", () => {
  expect(findPlaces(graph, "flights").map(({ field }) => field)).toEqual([null, "topic"]);
});

it("finds a field wherever a setting names it", () => {
  expect(findPlaces(graph, "dep_delay")).toEqual([
    { node: "sums", field: "functions.0.expression", text: "dep_delay" },
    { node: "late", field: "predicate", text: "dep_delay > 60" },
  ]);
});

it("puts names that begin so first", () => {
  const two = { nodes: [node("by-late"), node("late")], edges: [] };

  expect(findPlaces(two, "late").map((place) => place.node)).toEqual(["late", "by-late"]);
});

it("offers every node, and no settings, before anything is typed", () => {
  expect(findPlaces(graph, " ").map((place) => place.node)).toEqual(["flights", "sums", "late"]);
});
