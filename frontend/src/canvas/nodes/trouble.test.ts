import { expect, it } from "vitest";
import type { Issue, IssueCode } from "../../api/types";
import type { SourceNumbers } from "../../live/state";
import { LIVE, NODE, NUMBERS, JOB_STATUS } from "../../live/samples";
import { countBusyTwentieths, findTrouble } from "./trouble";

const problem = (code: IssueCode): Issue => {
  return { code, level: "error", message: "", hint: "", args: {}, node: "a", field: null, span: null, fix: null };
};
const source = { ...Object.values(NUMBERS.sources)[0], total_lag: 9, lag_s: 1, trend: "rising" } as SourceNumbers;

it("failed records and problems are worse than dropped ones", () => {
  expect(findTrouble({ ...NODE, errors: 1, dropped: 2 }, [], [])).toBe("bad");
  expect(findTrouble(undefined, [], [problem("field.missing"), problem("text.chain")])).toBe("bad");
  expect(findTrouble({ ...NODE, dropped: 2 }, [], [])).toBe("warn");
  expect([findTrouble(NODE, [], []), findTrouble(undefined, [], [])]).toEqual(["", ""]);
});

it("rising lag and a node without its settings deserve attention", () => {
  expect(findTrouble(NODE, [source], [])).toBe("warn");
  expect(findTrouble(NODE, [{ ...source, trend: "steady" }], [])).toBe("");
  expect(findTrouble(undefined, [], [problem("field.missing")])).toBe("warn");
});

it("a node is busy in steps of a twentieth, while its run is alive", () => {
  const nodes = { orders: { ...NODE, busy: 0.33 }, paid: { ...NODE, busy: 0.02 } };
  const live = { ...LIVE, numbers: { ...NUMBERS, nodes } };

  const found = ["orders", "paid", "none"].map((id) => countBusyTwentieths(live, id));

  expect(found).toEqual([7, 0, 0]);
  expect(countBusyTwentieths({ ...live, jobStatus: { ...JOB_STATUS, status: "stopped" } }, "orders")).toBe(0);
  expect(countBusyTwentieths(null, "orders")).toBe(0);
});
