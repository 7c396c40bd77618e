import { expect, it } from "vitest";
import { diskLines } from "./disk";

it("says what each folder takes, as far as it was measured", () => {
  const checkpoint = { path: "/data/checkpoints/orders/epoch-2", bytes: 2_048, is_whole: true };
  const state = { path: "/data/state/orders/epoch-2", bytes: null, is_whole: true };

  expect(diskLines({ checkpoint, state })).toEqual([
    { title: "Checkpoint", path: checkpoint.path, size: "2.0 KiB" },
    { title: "State", path: state.path, size: "not here" },
  ]);
  expect(diskLines({ checkpoint: { ...checkpoint, is_whole: false }, state: null })[0]?.size).toBe("more than 2.0 KiB");
});

it("has nothing to say before the first run", () => {
  expect(diskLines({ checkpoint: null, state: null })).toEqual([]);
});
