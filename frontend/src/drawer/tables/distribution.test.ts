import { expect, it } from "vitest";
import { computeDistribution, listFieldNames } from "./distribution";

const customers = ["gold", "blue", "gold", "iron"].map((tier, id) => ({ value: JSON.stringify({ id, tier }) }));
const numbers = [1, 2, 3, 4, 5, 6, 6, 7].map((value) => ({ value: String(value) }));

it("offers the fields that values have; a value without fields is one itself", () => {
  expect(listFieldNames([...customers, { value: '{"vip": true}' }])).toEqual(["id", "tier", "vip"]);
  expect(listFieldNames(numbers)).toEqual(["value"]);
  expect(listFieldNames([])).toEqual([]);
});

it("counts the rows of each value, the most frequent first", () => {
  expect(computeDistribution(customers, "tier")).toEqual({
    top: [
      { value: '"gold"', count: 2 },
      { value: '"blue"', count: 1 },
      { value: '"iron"', count: 1 },
    ],
    others: 0,
  });
});

it("counts a field that a row lacks as null", () => {
  const rows = [...customers, { value: '{"id": 9}' }, { value: '{"tier": null}' }];

  expect(computeDistribution(rows, "tier").top[0]).toEqual({
    value: '"gold"',
    count: 2,
  });
  expect(computeDistribution([{ value: "{}" }, { value: '{"tier": null}' }], "tier").top).toEqual([
    { value: "null", count: 2 },
  ]);
});

it("sums up what is not among the five most frequent", () => {
  const { top, others } = computeDistribution(numbers, "value");

  expect(top.map(({ value }) => value)).toEqual(["6", "1", "2", "3", "4"]);
  expect(others).toBe(2);
});

it("tells long numbers apart that are one to a browser", () => {
  const ids = ["12345678901234567890", "12345678901234567891"].map((value) => ({ value }));

  expect(computeDistribution(ids, "value").top).toHaveLength(2);
});
