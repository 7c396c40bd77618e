import { expect, it } from "vitest";
import { listOperatorIcons } from "../../../tools/icons";

it("knows the icons of operators, also of those that share the class which names it", () => {
  expect(listOperatorIcons()).toEqual(expect.arrayContaining(["funnel", "sigma", "square-code"]));
});
