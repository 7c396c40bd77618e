import { expect, it } from "vitest";
import { bytesIn, bytesOf, hexDump, layOut, logTime, recordTime } from "./content";

it("writes times of this place to the millisecond, in columns that do not move", () => {
  const at = new Date(2013, 0, 5, 4, 3, 2, 7).getTime();

  expect(recordTime(at)).toBe("2013-01-05 04:03:02.007");
  expect(logTime(at)).toBe("04:03:02.007");
});

it("counts the bytes of a base64 text", () => {
  expect([new Uint8Array(0), new Uint8Array(1), new Uint8Array(5)].map((b) => bytesIn(btoa(String.fromCharCode(...b)))))
    .toEqual([0, 1, 5]);
});

it("shows bytes in hexadecimal and as text", () => {
  expect(hexDump(bytesOf("hi\n", false))).toBe(`00000000  68 69 0a${" ".repeat(41)}hi.`);
  expect(hexDump(bytesOf("/w==", true))).toMatch(/^00000000 {2}ff .*\.$/);
  expect(hexDump(bytesOf("x".repeat(17), false)).split("\n")[1]).toMatch(/^00000010 {2}78 .* x$/);
});

it("lays out what can be changed, and marks bytes", () => {
  expect(layOut('{"id":1}', false)).toBe('{\n  "id": 1\n}');
  expect([layOut("a", false), layOut("/w==", true), layOut(null, false)]).toEqual(["a", "base64:/w==", null]);
});
