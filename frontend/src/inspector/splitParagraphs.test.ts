import { expect, it } from "vitest";
import { splitParagraphs } from "./splitParagraphs";

it("joins the lines of each paragraph", () => {
  expect(splitParagraphs("One.\n\nTwo is\n  longer.\n\nThree.\n")).toEqual(["One.", "Two is longer.", "Three."]);
  expect(splitParagraphs("")).toEqual([]);
});
