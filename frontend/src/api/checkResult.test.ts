import { expect, test } from "vitest";
import { toCheckResult, fromRefusal } from "./checkResult";
import { Refusal } from "./refusal";

const TEXT = { format: "string", type: { kind: "string" } } as const;
const SCHEMA = { key: TEXT, value: TEXT, window: null };

test("each port has the schema that the answer holds once", () => {
  const flow = { type: "KStream" as const, carries: 0 };

  const checked = toCheckResult({
    issues: [],
    hints: [],
    schemas: [SCHEMA],
    nodes: {
      orders: { inputs: {}, outputs: { result: flow } },
      big: { inputs: { records: flow }, outputs: { result: { type: "KStream", carries: null } } },
    },
    shuffles: [],
  });

  expect(checked.nodes.orders?.outputs.result?.carries).toBe(SCHEMA);
  expect(checked.nodes.big?.inputs.records?.carries).toBe(SCHEMA);
  expect(checked.nodes.big?.outputs.result?.carries).toBeNull();
});

test("a check that is refused is a problem of the node that costs most", () => {
  const refusal = new Refusal(422, "check.too_costly", "Too long.", "Split it.", { node: "big" });

  const { issues, nodes } = fromRefusal(refusal);

  expect(issues).toMatchObject([{ message: "Too long.", hint: "Split it.", node: "big" }]);
  expect(nodes).toEqual({});
});
