import { expect, test } from "vitest";
import { spreadOverFrames } from "./spreadOverFrames";

/** A source to change by hand, and frames to let pass by hand. */
function setUp() {
  const heard = new Set<() => void>();
  const frames: ((at: number) => void)[] = [];
  let now = 0;
  const activity = { busy: false };
  const source = {
    subscribe: (listener: () => void) => {
      heard.add(listener);
      return () => heard.delete(listener);
    },
  };
  return {
    heard,
    activity,
    subscribe: spreadOverFrames(source, (then) => frames.push(then), () => activity.busy),
    change: () => heard.forEach((listener) => listener()),
    frame: () => frames.shift()?.((now += 16)),
    frames,
  };
}

test("listeners are told in turns, and each once", () => {
  const { subscribe, change, frame, frames } = setUp();
  const told: number[] = [];
  for (let listener = 0; listener < 200; listener += 1) subscribe(() => told.push(listener));

  change();
  expect(told).toEqual([]);
  frame();
  expect(told.length).toBe(128);
  frame();

  expect(told).toEqual([...Array(200).keys()]);
  expect(frames).toEqual([]);
});

test("activity goes first: while the user is busy a turn is followed by a pause", () => {
  const { subscribe, change, frame, activity } = setUp();
  const told: number[] = [];
  for (let listener = 0; listener < 300; listener += 1) subscribe(() => told.push(listener));
  activity.busy = true;

  change();
  for (let frames = 0; frames < 12; frames += 1) frame();
  expect(told.length).toBe(48);
  for (let frames = 0; frames < 3; frames += 1) frame();
  expect(told.length).toBe(96);
  activity.busy = false;
  frame();
  expect(told.length).toBe(224);
  frame();

  expect(told).toEqual([...Array(300).keys()]);
});

test("a change in between lets the longest waiting go first", () => {
  const { subscribe, change, frame } = setUp();
  const told: number[] = [];
  for (let listener = 0; listener < 200; listener += 1) subscribe(() => told.push(listener));

  change();
  frame();
  change();
  frame();

  expect(told.slice(0, 200)).toEqual([...Array(200).keys()]);
  expect(told[200]).toBe(0);
});

test("who has gone is not told, and without listeners the source is let go", () => {
  const { subscribe, change, frame, heard } = setUp();
  const told: string[] = [];
  const leave = subscribe(() => told.push("left"));

  change();
  leave();
  frame();

  expect(told).toEqual([]);
  expect(heard.size).toBe(0);
});
