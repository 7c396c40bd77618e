import { expect, it } from "vitest";
import { listFolders } from "./disk";

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
