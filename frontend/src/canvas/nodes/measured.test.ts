import { expect, it } from "vitest";
import type { Shape } from "../../editor/layout/shape";
import { lacksPorts } from "./measured";

const port = { name: "result" } as Shape["outputs"][number];
const shape = { inputs: [], outputs: [port] };

it("measures a node again whose ports were not drawn when it was measured", () => {
  expect(lacksPorts({ source: null, target: null }, shape)).toBe(true);
  expect(lacksPorts({ source: [port], target: null }, shape)).toBe(false);
});

it("leaves a node to React Flow that it has not measured yet", () => {
  expect(lacksPorts(undefined, shape)).toBe(false);
});
