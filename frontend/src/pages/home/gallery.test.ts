import { describe, expect, it } from "vitest";
import { exportedFrom, findApplications } from "./gallery";

const COUNT = {
  id: "e27-orders-by-region",
  name: "Orders by region",
  about: "Counts the orders of each region.",
  graph: { nodes: [], edges: [] },
};
const WORDS = { id: "e36-word-count", name: "Word count", about: "Counts the words of a text.", graph: COUNT.graph };
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

  it("asks for every word", () => {
    expect(findApplications(GALLERY, "region text")).toEqual([]);
  });

  it("makes of an application what import reads", () => {
    expect(exportedFrom(COUNT)).toEqual({ streamwright: 1, name: "Orders by region", graph: COUNT.graph });
  });
});
