import { expect, it } from "vitest";
import type { FeedRecord } from "../../api/feed";
import {
  BLANK,
  copyRecord,
  describeLanding,
  holdsRecords,
  isCut,
  makeForm,
  makeRecords,
  parseHeaders,
  splitIntoParts,
  withMember,
} from "./sending";

const HEADER = { key: "trace", value: "/w==", is_value_base64: true, is_value_cut: false, value_bytes: 1 };
const RECORD: FeedRecord = {
  partition: 2,
  offset: 15,
  timestamp: 1_000,
  key: "12",
  is_key_base64: false,
  is_key_cut: false,
  key_bytes: 8,
  value: '{"id":1}',
  is_value_base64: false,
  is_value_cut: false,
  value_bytes: 8,
  headers: [HEADER, { ...HEADER, key: "none", value: null, is_value_base64: false }],
  headers_left_out: 0,
};
const AS_IT_STANDS = { key_raw: null, value_raw: null, key_problem: null, value_problem: null };
const FORMATS = { key: "long", value: "json" } as const;

it("begins with a record in its formats, or as it stands where its bytes do not fit", () => {
  expect(makeForm(RECORD, FORMATS)).toEqual({
    ...BLANK,
    key: "12",
    value: '{\n  "id": 1\n}',
    formats: FORMATS,
    headers: "trace: base64:/w==\nnone",
  });
  expect(makeForm({ ...RECORD, ...AS_IT_STANDS, key_problem: "Not long." }, FORMATS).formats.key).toBeNull();
  expect(makeForm({ ...RECORD, value: "/w==", is_value_base64: true }, FORMATS).value).toBe("base64:/w==");
});

it("sends the same bytes again", () => {
  const headers = [
    { key: "trace", value: "base64:/w==" },
    { key: "none", value: null },
  ];

  expect(copyRecord({ ...RECORD, ...AS_IT_STANDS, key_raw: "AAAAAAAAAAw=" })).toEqual({
    key: "base64:AAAAAAAAAAw=",
    value: '{"id":1}',
    headers,
  });
  expect(copyRecord({ ...RECORD, key: null, value: "base64:" }).value).toBe("base64:YmFzZTY0Og==");
  expect([isCut(RECORD), isCut({ ...RECORD, headers: [{ ...HEADER, is_value_cut: true }] })]).toEqual([false, true]);
});

it("sends headers again that a line of the form cannot hold", () => {
  const texts = ["two\nlines", " spaces ", "a: b", "", "base64:"];
  const headers = texts.map((value) => ({ ...HEADER, key: "a:b", value, is_value_base64: false }));
  const [twoLines, spaces, marked] = ["base64:dHdvCmxpbmVz", "base64:IHNwYWNlcyA=", "base64:YmFzZTY0Og=="];

  expect(copyRecord({ ...RECORD, headers }).headers).toEqual([
    ...texts.slice(0, 4).map((value) => ({ key: "a:b", value })),
    { key: "a:b", value: marked },
  ]);
  const form = makeForm({ ...RECORD, headers: headers.map((header) => ({ ...header, key: "a" })) }, FORMATS);
  expect(parseHeaders(form.headers).map(({ value }) => value)).toEqual([twoLines, spaces, "a: b", "", marked]);
});

it("sends lines of a file of Windows without the ends of the lines", () => {
  const form = { ...BLANK, isEachLine: true, value: "alice:3\r\nbob:4\r\n", separator: ":" };

  expect(makeRecords(form).map(({ value }) => value)).toEqual(["3", "4"]);
});

it("sends one record, or one for each line that is not blank", () => {
  const at = { headers: [], partition: null, timestamp: null };
  const lines = '{"id":7}\n\n{"id":"b"}\n{}';

  expect(makeRecords({ ...BLANK, key: "k", value: "1\n2" })).toEqual([{ key: "k", value: "1\n2", ...at }]);
  expect(makeRecords({ ...BLANK, value: null, isEachLine: true })).toEqual([{ key: null, value: null, ...at }]);
  expect(makeRecords({ ...BLANK, value: lines, isEachLine: true, keyField: "id" }).map(({ key }) => key))
    .toEqual(["7", "b", null]);
  expect(makeRecords({ ...BLANK, partition: "3", time: "1970-01-01T00:00:01Z", headers: "a: b" })[0]).toMatchObject({
    partition: 3,
    timestamp: 1_000,
    headers: [{ key: "a", value: "b" }],
  });
});

it("reads headers, a line each", () => {
  expect(parseHeaders("a: b: c\n\nnone")).toEqual([
    { key: "a", value: "b: c" },
    { key: "none", value: null },
  ]);
});

it("sets a member and spells the others as they are", () => {
  expect(withMember('{"id": 12345678901234567890, "name": "x"}', "name", '"y"')).toBe(
    '{\n  "id": 12345678901234567890,\n  "name": "y"\n}',
  );
  expect(withMember("", "id", "1")).toBe('{\n  "id": 1\n}');
});

it("says where records landed", () => {
  const landed = [1, 2, 3, 4].map((offset) => ({ partition: 0, offset, timestamp: 0 }));

  expect(describeLanding(landed.slice(0, 2), 2)).toBe("0@1, 0@2");
  expect(describeLanding(landed, 9)).toBe("0@1, 0@2, 0@3 and 6 more");
});

it("sends many in parts", () => {
  expect(splitIntoParts([1, 2, 3], 2)).toEqual([[1, 2], [3]]);
});

it("takes the key of each line from before a separator", () => {
  const form = { ...BLANK, isEachLine: true, separator: ":", value: 'alice:3\nbob:{"a":1}\n:x\n' };

  expect(makeRecords(form).map(({ key, value }) => [key, value])).toEqual([
    ["alice", "3"],
    ["bob", '{"a":1}'],
    ["", "x"],
  ]);
  expect(() => makeRecords({ ...form, value: "alice 3" })).toThrow("A line has no `:`: alice 3");
  expect(makeRecords({ ...form, isEachLine: false })).toHaveLength(1);
});

it("sends a record without a key until one is written", () => {
  expect(makeRecords({ ...BLANK, value: "{}" })[0]?.key).toBeNull();
});

it("knows lines of JSON from one record over several lines", () => {
  expect(holdsRecords('{"id":1}\n{"id":2}\n')).toBe(true);
  expect(holdsRecords('{"id":1}')).toBe(false);
  expect(holdsRecords('{\n  "id": 1\n}')).toBe(false);
  expect(holdsRecords(null)).toBe(false);
});
