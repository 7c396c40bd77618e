import { pretty } from "./json";

/** Record times are event times, often of another day: "2013-01-05 14:03:22.120", in local time. */
export function recordTime(ms: number): string {
  const at = new Date(ms);
  if (Number.isNaN(at.getTime())) return String(ms);
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${date} ${logTime(ms)}`;
}

/** "14:03:22.120", in local time. */
export function logTime(ms: number): string {
  const at = new Date(ms);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
  return `${time}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** A text, and in front of base64 the mark that it stands for bytes. */
export function mark(text: string, isBase64: boolean): string {
  return isBase64 ? `base64:${text}` : text;
}

/** A key or value as it can be changed: JSON laid out, bytes marked, null as it is. */
export function layOut(text: string | null, isBase64: boolean): string | null {
  return text === null || isBase64 ? text && mark(text, true) : pretty(text);
}

/** How many bytes a base64 text stands for. */
export function bytesIn(base64: string): number {
  return Math.floor((base64.replaceAll("=", "").length * 3) / 4);
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
