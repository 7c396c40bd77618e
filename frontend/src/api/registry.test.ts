import { expect, it } from "vitest";
import { mayHaveRegistry } from "./registry";

it("asks no registry of a cluster without one", () => {
  expect(mayHaveRegistry([{ name: "local", registry: null }], "local")).toBe(false);
  expect(mayHaveRegistry([{ name: "local", registry: null }], "gone")).toBe(true);
});
