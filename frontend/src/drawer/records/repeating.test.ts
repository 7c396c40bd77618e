import { expect, it } from "vitest";
import { sendAll, sendAtRate, takeTurn } from "./repeating";

const landing = (count: number) =>
  Promise.resolve(Array.from({ length: count }, (_, offset) => ({ partition: 0, offset, timestamp: 0 })));
const atOnce = () => Promise.resolve();

it("sends a part each second until the limit", async () => {
  const parts: number[] = [];
  const told: number[] = [];
  const send = (count: number) => {
    parts.push(count);
    return landing(count);
  };

  await sendAtRate(4, 10, send, ({ sendCount }) => told.push(sendCount), () => false, atOnce);

  expect(parts).toEqual([4, 4, 2]);
  expect(told).toEqual([4, 8, 10]);
});

it("begins again after the last record", () => {
  expect(takeTurn(["a", "b", "c"], 4, 2)).toEqual(["c", "a", "b", "c"]);
  expect(takeTurn([], 2, 0)).toEqual([]);
});

it("sends many in parts, and no more of them once it is stopped", async () => {
  const records = Array.from({ length: 12_000 }, () => ({ headers: [] }));
  const told: number[] = [];
  const isStopped = () => told.at(-1) === 10_000;

  await sendAll(records, (part) => landing(part.length), ({ sendCount }) => told.push(sendCount), isStopped);

  expect(told).toEqual([5_000, 10_000]);
});

it("stops when it is asked to", async () => {
  let sent = 0;

  await sendAtRate(4, 100, landing, (progress) => (sent = progress.sendCount), () => sent >= 8, atOnce);

  expect(sent).toBe(8);
});
