import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { formatMoment } from "../../ui/text/format";
import { RecordDetails } from "./RecordDetails";

const FAILED = Date.UTC(2026, 10, 30, 3);
const LETTER = { node: "orders", reason: "No.", exception: null, topic: null, output_topic: null, at: FAILED };

it("tells when a record failed from the time of the record", () => {
  const recordTime = Date.UTC(2016, 0, 1);
  const record = { key: null, value: "1", headers: [], headers_left_out: 0, timestamp: recordTime, letter: LETTER };

  const details = renderToStaticMarkup(
    <RecordDetails record={record as unknown as Parameters<typeof RecordDetails>[0]["record"]} />,
  );

  expect(details).toContain(`No. <span class="quiet number"> ${formatMoment(FAILED)}</span>`);
  expect(details).toContain(`<dt>Time of the record</dt><dd class="number">${formatMoment(recordTime)}</dd>`);
});
