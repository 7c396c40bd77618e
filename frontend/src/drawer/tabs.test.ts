import { expect, it } from "vitest";
import { tabAfter } from "./tabs";

it("goes round with the arrow keys, and to either end", () => {
  expect(tabAfter("ArrowRight", "problems")).toBe("trial");
  expect(tabAfter("ArrowRight", "trial")).toBe("cases");
  expect(tabAfter("ArrowRight", "log")).toBe("problems");
  expect(tabAfter("ArrowLeft", "problems")).toBe("log");
  expect(tabAfter("End", "problems")).toBe("log");
  expect(tabAfter("Home", "records")).toBe("problems");
  expect(tabAfter("x", "records")).toBeNull();
});
