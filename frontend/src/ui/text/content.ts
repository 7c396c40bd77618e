import { indentJson } from "./json";

/** Record times are event times, often of another day: "2013-01-05 14:03:22.120", in local time. */
export function formatRecordTime(ms: number): string {
  const at = new Date(ms);
  if (Number.isNaN(at.getTime())) return String(ms);
  const date = [at.getFullYear(), withTwoDigits(at.getMonth() + 1), withTwoDigits(at.getDate())].join("-");
  return `${date} ${formatLogTime(ms)}`;
}

/** "14:03:22.120", in local time. */
export function formatLogTime(ms: number): string {
  const at = new Date(ms);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(withTwoDigits).join(":");
  return `${time}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** A text, with a mark before base64 that says it means bytes. */
export function mark(text: string, isBase64: boolean): string {
  return isBase64 ? `base64:${text}` : text;
}

/** A key or value for people: the number that its bytes mean in a format of numbers, else as `mark` says. */
export function showSide(text: string, isBase64: boolean, format: string | null): string {
  return readNumber(toBytes(text, isBase64), format) ?? mark(text, isBase64);
}

/** The number that bytes mean as Kafka's serializers write it, or null if they do not fit the format. */
function readNumber(content: Uint8Array, format: string | null): string | null {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (format === "long" && content.length === 8) return String(view.getBigInt64(0));
  if (format === "double" && content.length === 8) return String(view.getFloat64(0));
  return format === "integer" && content.length === 4 ? String(view.getInt32(0)) : null;
}

/** A key or value for editing: JSON formatted, bytes marked, null unchanged. */
export function layOut(text: string | null, isBase64: boolean): string | null {
  return text === null || isBase64 ? text && mark(text, true) : indentJson(text);
}

/** The bytes of a text, or of base64. */
export function toBytes(text: string, isBase64: boolean): Uint8Array {
  return isBase64 ? Uint8Array.from(atob(text), (one) => one.charCodeAt(0)) : new TextEncoder().encode(text);
}

const A_LINE = 16;

/** Bytes for people, 16 on a line: "00000000  68 69 0a      hi." */
export function formatHex(content: Uint8Array): string {
  return Array.from({ length: Math.ceil(content.length / A_LINE) }, (_, line) => {
    const part = [...content.subarray(line * A_LINE, (line + 1) * A_LINE)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    return `${(line * A_LINE).toString(16).padStart(8, "0")}  ${hex.padEnd(3 * A_LINE - 1)}  ${text}`;
  }).join("\n");
}

/** The number of bytes in a base64 text. */
export function countBytes(base64: string): number {
  return Math.floor((base64.replaceAll("=", "").length * 3) / 4);
}

function withTwoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
