import { expect, it } from "vitest";
import { findTabAfter } from "./tabs";

it("goes round with the arrow keys, and to either end", () => {
  expect(findTabAfter("ArrowRight", "problems")).toBe("trial");
  expect(findTabAfter("ArrowRight", "trial")).toBe("cases");
  expect(findTabAfter("ArrowRight", "log")).toBe("problems");
  expect(findTabAfter("ArrowLeft", "problems")).toBe("log");
  expect(findTabAfter("End", "problems")).toBe("log");
  expect(findTabAfter("Home", "records")).toBe("problems");
  expect(findTabAfter("x", "records")).toBeNull();
});
