import { beforeEach, expect, it, vi } from "vitest";
import { EMPTY } from "../document/document";
import { deleteStash, readStash, saveStash, writeStash } from "./stash";

const kept = new Map<string, string>();
const setItem = vi.fn((name: string, value: string) => void kept.set(name, value));

beforeEach(() => {
  vi.useFakeTimers();
  kept.clear();
  setItem.mockClear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem,
    removeItem: (name: string) => void kept.delete(name),
  });
});

it("writes soon after a key, once for a burst, so that the key paints first", () => {
  saveStash(1, 2, EMPTY);
  saveStash(1, 3, EMPTY);
  expect(setItem).not.toHaveBeenCalled();

  vi.advanceTimersByTime(100);

  expect(setItem).toHaveBeenCalledTimes(1);
  expect(readStash(1)?.revision).toBe(3);
});

it("writes at once when the page closes, another topology is edited, or it is read", () => {
  saveStash(1, 2, EMPTY);
  writeStash();
  expect(kept.size).toBe(1);

  saveStash(2, 5, EMPTY);
  saveStash(3, 6, EMPTY);
  expect([readStash(2)?.revision, readStash(3)?.revision]).toEqual([5, 6]);
});

it("does not bring back what was deleted", () => {
  saveStash(1, 2, EMPTY);
  deleteStash(1);
  vi.advanceTimersByTime(1_000);

  expect(readStash(1)).toBeNull();
});
