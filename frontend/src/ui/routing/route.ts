/** The addresses of the page. A new screen adds a line to each of the two functions. */
import type { Origin } from "../../api/types";

export type Route =
  | { readonly page: "home" }
  | { readonly page: "editor"; readonly topology: number }
  | { readonly page: "job"; readonly job: number }
  | { readonly page: "letters"; readonly of: "job" | "topology"; readonly id: number }
  | { readonly page: "alerts" }
  | { readonly page: "clusters" }
  | { readonly page: "hosts" }
  | { readonly page: "topics"; readonly cluster: string }
  | { readonly page: "topic"; readonly cluster: string; readonly topic: string }
  | { readonly page: "schemas"; readonly cluster: string; readonly subject: string | null }
  | { readonly page: "tokens" }
  | { readonly page: "users" }
  | { readonly page: "audit" }
  | { readonly page: "shared" }
  | { readonly page: "nowhere" };

export function parseRoute(path: string): Route {
  try {
    return readRoute(path);
  } catch {
    return { page: "nowhere" }; // a % that begins no character
  }
}

function readRoute(path: string): Route {
  const [first, second, ...rest] = path.split("/").filter((part) => part !== "");
  if (first === undefined) return { page: "home" };
  if ((first === "topologies" || first === "jobs") && second !== undefined && /^\d+$/.test(second)) {
    const id = Number(second);
    if (rest.join("/") === "letters") return { page: "letters", of: first === "jobs" ? "job" : "topology", id };
    if (rest.length === 0) return first === "jobs" ? { page: "job", job: id } : { page: "editor", topology: id };
  }
  if (first === "alerts" && second === undefined) return { page: "alerts" };
  if (first === "clusters" && second === undefined) return { page: "clusters" };
  if (first === "hosts" && second === undefined) return { page: "hosts" };
  if (first === "topics" && rest.length <= 1) return toTopicsRoute(second, rest[0]);
  if (first === "schemas" && rest.length <= 1) return toSchemasRoute(second, rest[0]);
  if (first === "tokens" && second === undefined) return { page: "tokens" };
  if (first === "users" && second === undefined) return { page: "users" };
  if (first === "shared" && second === undefined) return { page: "shared" };
  if (first === "audit" && second === undefined) return { page: "audit" };
  return { page: "nowhere" };
}

function toTopicsRoute(cluster = "local", topic?: string): Route {
  const name = decodeURIComponent(cluster);
  return topic === undefined
    ? { page: "topics", cluster: name }
    : { page: "topic", cluster: name, topic: decodeURIComponent(topic) };
}

function toSchemasRoute(cluster = "local", subject?: string): Route {
  const name = subject === undefined ? null : decodeURIComponent(subject);
  return { page: "schemas", cluster: decodeURIComponent(cluster), subject: name };
}

/** The record in the address of a topic: "2:15" is partition 2, offset 15. */
export function parseRecord(search: string): { readonly partition: number; readonly offset: number } | null {
  const [partition, offset] = (new URLSearchParams(search).get("at") ?? "").split(":").map(Number);
  return partition === undefined || offset === undefined || Number.isNaN(partition + offset)
    ? null
    : { partition, offset };
}

/** The followed record in an address: "flights:2:15". Names of topics have no colon. */
export function formatOrigin({ topic, partition, offset }: Origin): string {
  return [topic, partition, offset].join(":");
}

function parseOrigin(text: string | null): Origin | null {
  const [topic, partition, offset] = /^([^:]+):(\d+):(\d+)$/.exec(text ?? "")?.slice(1) ?? [];
  return topic === undefined ? null : { topic, partition: Number(partition), offset: Number(offset) };
}

/**
 * The place in an address of the editor: a node or a followed record, a version or `draft` to show,
 * the compared version, and a dialog that opens.
 */
export interface Place {
  readonly node: string | null;
  readonly follow: Origin | null;
  readonly version: string | null;
  readonly against: string | null;
  readonly dialog: "versions" | null;
}

export function parsePlace(search: string): Place {
  const parameters = new URLSearchParams(search);
  return {
    node: parameters.get("node"),
    follow: parseOrigin(parameters.get("follow")),
    version: parameters.get("version"),
    against: parameters.get("against"),
    dialog: parameters.get("dialog") === "versions" ? "versions" : null,
  };
}

export const hrefs = {
  home: "/",
  alerts: "/alerts",
  clusters: "/clusters",
  hosts: "/hosts",
  topics: (cluster = "local") => `/topics/${encodeURIComponent(cluster)}`,
  /** With a place, the page shows the records from there on. */
  topic: (cluster: string, topic: string, at?: { readonly partition: number; readonly offset: number }) =>
    `/topics/${encodeURIComponent(cluster)}/${encodeURIComponent(topic)}` +
    (at === undefined ? "" : `?at=${at.partition}:${at.offset}`),
  schemas: (cluster = "local", subject?: string) =>
    `/schemas/${encodeURIComponent(cluster)}${subject === undefined ? "" : `/${encodeURIComponent(subject)}`}`,
  tokens: "/tokens",
  users: "/users",
  audit: "/audit",
  /** The secret is in the fragment, which browsers send to nobody. */
  shared: (secret: string) => `/shared#${secret}`,
  /**
   * With a node, the editor selects that node. With a record, it follows that. With a version, it shows
   * that, compared if wanted. With a dialog, it opens that.
   */
  editor: (topology: number, place: Partial<Place> = {}) => {
    const { version = null, against = null, node = null, dialog = null } = place;
    const follow = place.follow == null ? null : formatOrigin(place.follow);
    const isNamed = (each: readonly [string, string | null]): each is [string, string] => each[1] !== null;
    const pairs = Object.entries({ version, against, node, follow, dialog }).filter(isNamed);
    const query = new URLSearchParams(pairs).toString().replaceAll("%3A", ":");
    return `/topologies/${topology}${query === "" ? "" : `?${query}`}`;
  },
  job: (job: number) => `/jobs/${job}`,
  letters: (job: number) => `/jobs/${job}/letters`,
  deadLettersOf: (topology: number) => `/topologies/${topology}/letters`,
} as const;
