import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { RecordSchema } from "../../api/types";
import { Result } from "./ResultPart";

const schema: RecordSchema = {
  key: { format: "json", type: { kind: "string" } },
  value: { format: "json", type: { kind: "struct", fields: [{ name: "longest", type: { kind: "integer" } }] } },
  window: null,
};
const HOUR = { start: Date.UTC(2026, 0, 2, 3), end: Date.UTC(2026, 0, 2, 4) };
const drawn = (records: Parameters<typeof Result>[0]["records"]) =>
  renderToStaticMarkup(<Result schema={schema} records={records} />);

it("shows the shape of a result, and the newest value that a trial gave", () => {
  const html = drawn([
    { key: '"LGA"', window: null, value: '{"longest":7}' },
    { key: '"JFK"', window: HOUR, value: '{"longest":9}' },
  ]);

  expect(html).toContain("longest");
  expect(html).toContain("for key <code>&quot;JFK&quot;</code> from 2026-01-02");
  expect(html).toMatch(/<pre>\{\n\s*&quot;longest&quot;: 9\n\}<\/pre>/);
});

it("tells a deleted row from no result, and from no trial", () => {
  expect(drawn([{ key: '"LGA"', window: null, value: null }])).toContain("<pre>null</pre>");
  expect(drawn([])).toContain("The newest records give no result yet.");
  expect(drawn(null)).not.toMatch(/<pre>|no result/);
});
