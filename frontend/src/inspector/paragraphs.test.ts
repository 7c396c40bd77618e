import { expect, it } from "vitest";
import { paragraphs } from "./paragraphs";

it("joins the lines of each paragraph", () => {
  expect(paragraphs("One.\n\nTwo is\n  longer.\n\nThree.\n")).toEqual(["One.", "Two is longer.", "Three."]);
  expect(paragraphs("")).toEqual([]);
});
