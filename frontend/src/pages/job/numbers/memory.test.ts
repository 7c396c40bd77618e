import { expect, it } from "vitest";
import { LIVE, NUMBERS } from "../../../live/samples";
import { splitMemoryByHost } from "./memory";

it("splits the memory of a run among its driver and the hosts of its executors", () => {
  const numbers = { ...NUMBERS, memory: 900, executors: { "10.0.0.3": 300, "10.0.0.2": 200 } };
  expect(splitMemoryByHost({ ...LIVE, numbers })).toEqual([
    { host: "one", role: "driver", bytes: 400 },
    { host: "10.0.0.2", role: "executors", bytes: 200 },
    { host: "10.0.0.3", role: "executors", bytes: 300 },
  ]);
});

it("knows nothing before the memory was counted", () => {
  expect(splitMemoryByHost({ ...LIVE, numbers: { ...NUMBERS, memory: null } })).toEqual([]);
  expect(splitMemoryByHost(null)).toEqual([]);
});
