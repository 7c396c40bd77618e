import { expect, it } from "vitest";
import { createInterfaceStore } from "./interfaceStore";

it("counts a node as left once something else is selected, and those of before from the beginning", () => {
  const store = createInterfaceStore(["orders"]);
  const { select } = store.getState();

  select(["filter"]);
  expect([...store.getState().leftIds]).toEqual(["orders"]);

  select(["filter", "to"]);
  expect([...store.getState().leftIds]).toEqual(["orders"]);

  select([]);
  expect([...store.getState().leftIds]).toEqual(["orders", "filter", "to"]);
});

it("forgets the edits of a test case that were saved, but not those written meanwhile", () => {
  const store = createInterfaceStore();
  const { writeCase, settleCase } = store.getState();
  const saved = { records: "1", expected: "1", revision: 1 };

  writeCase(7, saved);
  settleCase(7, saved, 2);
  expect(store.getState().writtenCases.size).toBe(0);

  writeCase(7, saved);
  writeCase(7, { ...saved, records: "12" });
  settleCase(7, saved, 2);
  expect(store.getState().writtenCases.get(7)).toEqual({ records: "12", expected: "1", revision: 2 });
});

it("keeps a comment that is being written, until all of it is sent", () => {
  const store = createInterfaceStore();
  const { writeComment, settleComment, select } = store.getState();
  const read = (node: string) => store.getState().writtenComments.get(node);

  writeComment("orders", "Why this");
  select(["filter"]);
  expect([read("orders"), read("filter")]).toEqual(["Why this", undefined]);

  writeComment("orders", "Why this topic?");
  settleComment("orders", "Why this");
  expect(read("orders")).toBe("Why this topic?");

  settleComment("orders", "Why this topic?");
  expect(store.getState().writtenComments.size).toBe(0);
});

it("numbers selections by their nodes, whatever these are called", () => {
  const store = createInterfaceStore();
  const { select, goTo, rename, show } = store.getState();
  const read = () => store.getState().selection.number;

  select(["orders"]);
  const first = read();
  rename(new Map([["orders", "flights"]]));
  select(["flights"]);
  goTo("flights", "topic");
  expect(read()).toBe(first);

  select(["orders"]);
  expect(read()).not.toBe(first);
  const second = read();
  show("running");
  select(["flights"]);
  expect([first, second]).not.toContain(read());
});
