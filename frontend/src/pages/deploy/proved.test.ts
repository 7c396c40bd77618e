import { expect, test } from "vitest";
import { formatMoment } from "../../ui/text/format";
import { describeProved } from "./proved";

test("a proof names the version, the records and the time over which it compared", () => {
  const proved = { batches: 1, records: 1_234, since: 0, until: 60_000 };

  const between = `${formatMoment(0)} to ${formatMoment(60_000)}`;
  expect(describeProved(proved, 3)).toBe(`Compared with version 3 over 1,234 records in 1 batch, ${between}.`);
  expect(describeProved(proved, null)).toContain("Compared with the version that ran over");
});
