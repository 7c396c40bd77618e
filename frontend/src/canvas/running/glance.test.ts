import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { closeGlance, giveWay, leave, rest, useGlance, type Spot } from "./glance";

const NODE: Spot = { of: "node", node: "orders" };
const show = () => useGlance.getState().spot;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
});

afterEach(() => {
  closeGlance();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("closes a card while the view moves, and opens it once the view rests", () => {
  rest(NODE);
  vi.advanceTimersByTime(500);
  expect(show()).toBe(NODE);

  for (let step = 0; step < 10; step++) {
    giveWay();
    expect(show()).toBeNull();
    vi.advanceTimersByTime(400);
    expect(show()).toBeNull();
  }
  vi.advanceTimersByTime(100);
  expect(show()).toBe(NODE);
});

it("opens no card after a move if the pointer is on nothing", () => {
  rest(NODE);
  leave();
  giveWay();

  vi.advanceTimersByTime(1_000);
  expect(show()).toBeNull();
});
