import { expect, it } from "vitest";
import { listFolders, splitMemoryByHost } from "./usage";
import { LIVE, NUMBERS } from "../../../live/samples";

it("says what each folder takes, as far as it was measured", () => {
  const checkpoint = { path: "/data/checkpoints/orders/epoch-2", bytes: 2_048, is_whole: true };
  const state = { path: "/data/state/orders/epoch-2", bytes: null, is_whole: true };

  expect(listFolders({ checkpoint, state }, false)).toEqual([
    { title: "Checkpoint", path: checkpoint.path, size: "2.0 KiB" },
    { title: "State", path: state.path, size: "not here" },
  ]);
  const cut = { checkpoint: { ...checkpoint, is_whole: false }, state: null };
  expect(listFolders(cut, false)[0]?.size).toBe("more than 2.0 KiB");
});

it("does not call what the driver of a Spark cluster keeps here state", () => {
  const folder = { path: "/data/state/orders/epoch-2", bytes: 2_048, is_whole: true };

  expect(listFolders({ checkpoint: null, state: folder }, true)[0]?.title).toBe("Files of the driver");
});

it("has nothing to say before the first run", () => {
  expect(listFolders({ checkpoint: null, state: null }, false)).toEqual([]);
});

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
