import { expect, it } from "vitest";
import { fits } from "./fits";

it("finds users by a part of their name or of a group's, in any case", () => {
  const ann = { name: "Ann", groups: ["Operations"] };

  expect(["", " ann ", "OPER"].map((text) => fits(ann, text))).toEqual([true, true, true]);
  expect(fits(ann, "bob")).toBe(false);
});
