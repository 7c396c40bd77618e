import { expect, it } from "vitest";
import { linesOf } from "./sending";

it("sends one record, or one for each line that is not blank", () => {
  const headers = [{ key: "trace", value: "x" }];

  expect(linesOf("k", '{\n"a": 1}', false, headers)).toEqual([{ key: "k", value: '{\n"a": 1}', headers }]);
  expect(linesOf(null, "1\n\n2\n", true, []).map(({ value }) => value)).toEqual(["1", "2"]);
  expect(linesOf("k", null, true, [])).toEqual([{ key: "k", value: null, headers: [] }]);
});
