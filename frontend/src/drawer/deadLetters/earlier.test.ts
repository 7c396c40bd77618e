import { afterEach, expect, it, vi } from "vitest";
import { NODE, NUMBERS } from "../../live/samples";
import { askOnce, chooseEarlier, countAll, findEarlier, useFound } from "./earlier";

afterEach(() => vi.unstubAllGlobals());

const READ = { letters: 41, offsets: 60, is_all: true, seconds: 0.1 };
const group = (node: string, count: number) => ({ node, count }) as never;

it("counts what the topic holds, also of earlier runs, while the present run goes on", () => {
  const numbers = { ...NUMBERS, dead_letters: 5, nodes: { orders: { ...NODE, dead_letters: 3 } } };
  const groups = [group("orders", 10), group("orders", 4), group("paid", 27)];
  const earlier = findEarlier({ read: READ, groups }, numbers);

  const later = { ...numbers, dead_letters: 7, nodes: { orders: { ...NODE, dead_letters: 5 } } };
  expect(countAll(numbers, earlier, null)).toBe(41);
  expect(countAll(later, earlier, null)).toBe(43);
  expect([countAll(later, earlier, "orders"), countAll(later, earlier, "paid")]).toEqual([16, 27]);
  expect(countAll(null, earlier, null)).toBeNull();
});

it("does not take those of earlier runs for none until the topic was read", async () => {
  const found = { run: 40, earlier: findEarlier({ read: READ, groups: [] }, NUMBERS) };

  expect(countAll(NUMBERS, chooseEarlier(found, 40, 7), null)).toBe(41);
  expect(countAll(NUMBERS, chooseEarlier(found, 41, 8), null)).toBeNull();
  expect(countAll(NUMBERS, chooseEarlier(found, 1, 1), null), "the first run has no earlier ones").toBe(0);

  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await askOnce(1, 60, () => NUMBERS);
  expect(countAll(NUMBERS, chooseEarlier(useFound.getState(), 60, 9), null), "of the run alone").toBe(0);
});

it("counts those of the run alone once the topic has lost the others", () => {
  const numbers = { ...NUMBERS, dead_letters: 50 };

  expect(countAll(numbers, findEarlier({ read: READ, groups: [] }, numbers), null)).toBe(50);
});

it("counts offsets of a topic that is too long to be read", () => {
  const read = { letters: 100_000, offsets: 340_000, is_all: false, seconds: 3.2 };
  const earlier = findEarlier({ read, groups: [group("orders", 100_000)] }, NUMBERS);

  expect([countAll(NUMBERS, earlier, null), earlier.isAbout]).toEqual([340_000, true]);
  expect(findEarlier({ read: READ, groups: [] }, NUMBERS).isAbout).toBe(false);
});

it("keeps the count of the run on the screen when an answer about another job comes late", async () => {
  const answers: (() => void)[] = [];
  vi.stubGlobal("fetch", async () => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return new Response(JSON.stringify({ read: READ, groups: [] }));
  });

  const before = askOnce(1, 40, () => NUMBERS);
  const now = askOnce(2, 50, () => NUMBERS);
  answers[1]?.();
  await now;
  answers[0]?.();
  await before;

  expect(useFound.getState()).toMatchObject({ run: 50, earlier: { all: 41 } });
});
