import { expect, it } from "vitest";
import { repeat } from "./repeating";

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

  await repeat(4, 10, send, ({ sent }) => told.push(sent), () => false, atOnce);

  expect(parts).toEqual([4, 4, 2]);
  expect(told).toEqual([4, 8, 10]);
});

it("stops when it is asked to", async () => {
  let sent = 0;

  await repeat(4, 100, landing, (progress) => (sent = progress.sent), () => sent >= 8, atOnce);

  expect(sent).toBe(8);
});
