import { expect, it } from "vitest";
import { hrefs, parsePlace, parseRecord, parseRoute } from "./route";

it("shows the home page at the root", () => {
  expect(parseRoute("/")).toEqual({ page: "home" });
});

it("shows nothing at an address with a broken escape, instead of no page at all", () => {
  expect(parseRoute("/topics/local/50%")).toEqual({ page: "nowhere" });
  expect(parseRoute("/schemas/%E0%A4%A")).toEqual({ page: "nowhere" });
});

it("finds a job by its own address", () => {
  expect(parseRoute(hrefs.job(12))).toEqual({ page: "job", job: 12 });
});

it("finds the dead letters of a job and of a topology", () => {
  expect(parseRoute(hrefs.letters(12))).toEqual({ page: "letters", of: "job", id: 12 });
  expect(parseRoute(hrefs.deadLettersOf(3))).toEqual({ page: "letters", of: "topology", id: 3 });
});

it("finds the editor of a topology by its own address", () => {
  expect(parseRoute(hrefs.editor(3))).toEqual({ page: "editor", topology: 3 });
});

it("names a node of a topology", () => {
  expect(hrefs.editor(3, { node: "late" })).toBe("/topologies/3?node=late");
  expect(parsePlace("?node=late").node).toBe("late");
  expect(parsePlace("").node).toBeNull();
});

it("names a version of a topology, and what it is compared with", () => {
  const place = { version: "draft", against: "3", node: "late" };

  expect(hrefs.editor(3, place)).toBe("/topologies/3?version=draft&against=3&node=late");
  expect(parsePlace("?version=draft&against=3&node=late")).toEqual({ ...place, follow: null, dialog: null });
  expect(parsePlace("?version=2")).toEqual({
    version: "2",
    against: null,
    node: null,
    follow: null,
    dialog: null,
  });
});

it("names a record that is followed", () => {
  const follow = { topic: "orders.v1", partition: 2, offset: 15 };

  expect(hrefs.editor(3, { follow })).toBe("/topologies/3?follow=orders.v1:2:15");
  expect(parsePlace("?follow=orders.v1:2:15").follow).toEqual(follow);
  expect(["?follow=orders", "?follow=orders:2", "?follow=orders:2:x"].map((each) => parsePlace(each).follow)).toEqual([
    null,
    null,
    null,
  ]);
});

it("finds clusters and hosts by their own addresses", () => {
  expect(parseRoute(hrefs.clusters)).toEqual({ page: "clusters" });
  expect(parseRoute(hrefs.hosts)).toEqual({ page: "hosts" });
});

it("finds the schemas of a cluster, and a subject whose name has slashes", () => {
  expect(parseRoute("/schemas")).toEqual({ page: "schemas", cluster: "local", subject: null });
  const subject = "a/b-value";
  expect(parseRoute(hrefs.schemas("eu", subject))).toEqual({ page: "schemas", cluster: "eu", subject });
});

it("finds the topics of a cluster, and a topic with a record in it", () => {
  expect(parseRoute("/topics")).toEqual({ page: "topics", cluster: "local" });
  expect(parseRoute(hrefs.topics("eu"))).toEqual({ page: "topics", cluster: "eu" });
  expect(parseRoute(hrefs.topic("eu", "orders.v1"))).toEqual({ page: "topic", cluster: "eu", topic: "orders.v1" });
  expect(hrefs.topic("eu", "orders", { partition: 2, offset: 15 })).toBe("/topics/eu/orders?at=2:15");
  expect(["?at=2:15", "", "?at=x"].map(parseRecord)).toEqual([{ partition: 2, offset: 15 }, null, null]);
});

const NOWHERE = [
  "/clusters/x",
  "/hosts/x",
  "/jobs",
  "/jobs/x",
  "/jobs/1/2",
  "/jobs/1/letters/2",
  "/topologies/x",
  "/topics/eu/orders/more",
  "/elsewhere",
];

it.each(NOWHERE)("knows that %s leads nowhere", (path) => {
  expect(parseRoute(path)).toEqual({ page: "nowhere" });
});

it("opens the versions of a topology by an address", () => {
  expect(hrefs.editor(3, { dialog: "versions" })).toBe("/topologies/3?dialog=versions");
  expect(parsePlace("?dialog=versions").dialog).toBe("versions");
  expect(parsePlace("?dialog=delete").dialog).toBeNull();
});
