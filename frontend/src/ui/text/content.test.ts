import { expect, it } from "vitest";
import { countBytes, formatHex, formatLogTime, formatRecordTime, layOut, showSide, toBytes } from "./content";

it("writes times of this place to the millisecond, in columns that do not move", () => {
  const at = new Date(2013, 0, 5, 4, 3, 2, 7).getTime();

  expect(formatRecordTime(at)).toBe("2013-01-05 04:03:02.007");
  expect(formatLogTime(at)).toBe("04:03:02.007");
});

it("counts the bytes of a base64 text", () => {
  expect([0, 1, 5].map((size) => countBytes(btoa("\0".repeat(size))))).toEqual([0, 1, 5]);
});

it("shows bytes in hexadecimal and as text", () => {
  expect(formatHex(toBytes("hi\n", false))).toBe(`00000000  68 69 0a${" ".repeat(41)}hi.`);
  expect(formatHex(toBytes("/w==", true))).toMatch(/^00000000 {2}ff .*\.$/);
  expect(formatHex(toBytes("x".repeat(17), false)).split("\n")[1]).toMatch(/^00000010 {2}78 .* x$/);
});

it("lays out what can be changed, and marks bytes", () => {
  expect(layOut('{"id":1}', false)).toBe('{\n  "id": 1\n}');
  expect([layOut("a", false), layOut("/w==", true), layOut(null, false)]).toEqual(["a", "base64:/w==", null]);
});

it("shows the number that bytes mean in a format of numbers", () => {
  expect(showSide("AAAAAAAAACo=", true, "long")).toBe("42");
  expect(showSide("AAAAKg==", true, "integer")).toBe("42");
  expect(showSide("AAAAKg==", true, "long")).toBe("base64:AAAAKg==");
  expect(showSide("abcdefgh", false, "json")).toBe("abcdefgh");
});
