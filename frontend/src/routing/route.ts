/** The addresses of the page. A new screen is one more line in each of the two functions. */

export type Route =
  | { readonly page: "home" }
  | { readonly page: "editor"; readonly topology: number }
  | { readonly page: "job"; readonly job: number }
  | { readonly page: "clusters" }
  | { readonly page: "hosts" }
  | { readonly page: "tokens" }
  | { readonly page: "users" }
  | { readonly page: "nowhere" };

export function routeOf(path: string): Route {
  const [first, second, ...rest] = path.split("/").filter((part) => part !== "");
  if (first === undefined) return { page: "home" };
  if (first === "topologies" && second !== undefined && /^\d+$/.test(second) && rest.length === 0) {
    return { page: "editor", topology: Number(second) };
  }
  if (first === "jobs" && second !== undefined && /^\d+$/.test(second) && rest.length === 0) {
    return { page: "job", job: Number(second) };
  }
  if (first === "clusters" && second === undefined) return { page: "clusters" };
  if (first === "hosts" && second === undefined) return { page: "hosts" };
  if (first === "tokens" && second === undefined) return { page: "tokens" };
  if (first === "users" && second === undefined) return { page: "users" };
  return { page: "nowhere" };
}

/** The node that an address of the editor names. */
export function nodeIn(search: string): string | null {
  return new URLSearchParams(search).get("node");
}

export const hrefs = {
  home: "/",
  clusters: "/clusters",
  hosts: "/hosts",
  tokens: "/tokens",
  users: "/users",
  /** With a node, the editor opens with that node selected. */
  editor: (topology: number, node: string | null = null) =>
    node === null ? `/topologies/${topology}` : `/topologies/${topology}?node=${encodeURIComponent(node)}`,
  job: (job: number) => `/jobs/${job}`,
} as const;
