import { describe, expect, it } from "vitest";
import { chooseExamples, countPurposes, findApplications, findRunning, formatRecord, makeExport } from "./gallery";

const COUNT = {
  id: "e27-orders-by-region",
  name: "Orders by region",
  about: "Counts the orders of each region.",
  purpose: "count",
  records: [],
  results: [],
  why_not_run: "",
  graph: { nodes: [], edges: [] },
} as const;
const WORDS = { ...COUNT, id: "e36-word-count", name: "Word count", about: "Counts the words of a text." };
const GALLERY = [COUNT, WORDS];

describe("the gallery", () => {
  it("shows all without a search", () => {
    expect(findApplications(GALLERY, " ")).toEqual(GALLERY);
  });

  it("finds by words of the name, of the text and of the id, in any case", () => {
    expect(findApplications(GALLERY, "WORD")).toEqual([WORDS]);
    expect(findApplications(GALLERY, "region counts")).toEqual([COUNT]);
    expect(findApplications(GALLERY, "e36")).toEqual([WORDS]);
  });

  it("shows the first of each purpose on Home", () => {
    const joined = { ...WORDS, id: "e50-joined", purpose: "join" } as const;

    expect(chooseExamples([...GALLERY, joined])).toEqual([COUNT, joined]);
  });

  it("shows on Home only what the user may run", () => {
    const code = { ...COUNT, id: "e05-session-processor", why_not_run: "Python is off on this server." };

    expect(chooseExamples([code, ...GALLERY])).toEqual([COUNT]);
  });

  it("knows where an application runs, in each project of its own", () => {
    const running = [{ application: WORDS.id, project: "default", topology: 7 }];

    expect(findRunning(running, WORDS.id, "default")).toBe(7);
    expect(findRunning(running, WORDS.id, "other")).toBeNull();
    expect(findRunning(running, COUNT.id, "default")).toBeNull();
  });

  it("asks for every word", () => {
    expect(findApplications(GALLERY, "region text")).toEqual([]);
  });

  it("tells how many serve each purpose", () => {
    expect(countPurposes(GALLERY).filter(({ count }) => count > 0)).toEqual([
      { value: "all", word: "All", count: 2 },
      { value: "count", word: "Count", count: 2 },
    ]);
  });

  it("writes a record in a line", () => {
    expect(formatRecord({ key: "a", value: { n: 1 }, timestamp: 5_000 })).toBe('"a": {"n":1} at 00:00:05');
  });

  it("makes of an application what import reads", () => {
    expect(makeExport(COUNT)).toEqual({ streamwright: 1, name: "Orders by region", graph: COUNT.graph });
  });
});
