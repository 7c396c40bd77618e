/** What the user may do, according to the server. The server checks every request itself. */
import { useEffect, useState } from "react";
import { request } from "./request";
import type { Rights } from "./types";
import type { ROLES } from "./values";

/** A role in a project. Each of `ROLES` includes those before it. */
export type Role = (typeof ROLES)[number];
/** Time for which an answer counts as current. */
const FRESH_MS = 30_000;

let user = "";
let cache: { readonly rights: Promise<Rights>; readonly at: number } | null = null;

export function fetchRights(): Promise<Rights> {
  if (cache === null || Date.now() - cache.at > FRESH_MS) {
    cache = { rights: request("get", "/api/rights"), at: Date.now() };
    cache.rights.then((rights) => (user ||= rights.user), forgetRights);
  }
  return cache.rights;
}

/** The name of the user who opened this page, or "" before the first answer of `fetchRights`. */
export function findUser(): string {
  return user;
}

/** The user changed projects or roles: the next answer is a fresh one. */
export function forgetRights(): void {
  cache = null;
}

/** Null until the answer arrives. */
export function useRights(): Rights | null {
  const [rights, setRights] = useState<Rights | null>(null);
  useEffect(() => void fetchRights().then(setRights, () => undefined), []);
  return rights;
}

/** The projects in which the user has that role, or one that includes it. */
export function listProjects(rights: Rights, role: Role): readonly string[] {
  return rights.projects.filter(({ why_not }) => why_not[role] === undefined).map(({ name }) => name);
}

/** Why the user lacks a role in a project, or in all of them, and the next step. Null if they have it. */
export function explainWhyNot(rights: Rights | null, role: Role, project?: string): string | null {
  const place = rights?.projects.find(({ name }) => name === project) ?? rights;
  return place?.why_not[role]?.replaceAll("`", "") ?? null;
}

/** The same for clusters and hosts, and for what is of all jobs. */
export function explainWhyNotClusters(rights: Rights | null): string | null {
  return rights?.why_not_clusters.replaceAll("`", "") || null;
}

export function useWhyNot(role: Role, project?: string): string | null {
  return explainWhyNot(useRights(), role, project);
}
