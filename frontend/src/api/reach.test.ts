import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onReturn } from "./reach";
import { request } from "./request";

const page = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", page);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ask = async () => {
  await request("get", "/api/jobs").catch(() => null);
  vi.runAllTimers();
};
const lose = () => vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
const answer = () => vi.stubGlobal("fetch", () => Promise.resolve(new Response("[]")));

it("tells once of the first answer after a request that did not reach the server", async () => {
  const listen = vi.fn();
  const stop = onReturn(listen);
  answer();
  await ask();
  expect(listen).not.toHaveBeenCalled();

  lose();
  await ask();
  await ask();
  answer();
  await ask();
  await ask();
  expect(listen).toHaveBeenCalledTimes(1);

  stop();
  lose();
  await ask();
  answer();
  await ask();
  expect(listen).toHaveBeenCalledTimes(1);
});

it("tells of the network's return before anything was asked", () => {
  const listen = vi.fn();
  const stop = onReturn(listen);

  page.dispatchEvent(new Event("online"));
  stop();
  page.dispatchEvent(new Event("online"));

  expect(listen).toHaveBeenCalledTimes(1);
});
