/** The cards of the home page: one per job, and one per topology that was never deployed. */

import { compareNames } from "../../api/byName";
import type { Job, Topology } from "../../api/types";
import { isFailing } from "../../live/problem";
import type { Status } from "../../live/state";

export interface Card {
  readonly key: string;
  readonly name: string;
  readonly topology: Topology;
  readonly job: Job | null;
  /** Of its job; "failed" also while a failing job tries again. */
  readonly status: Status | null;
}

/** A filter of cards: those with a state, or all. */
export type Filter = "all" | "running" | "failed" | "stopped" | "undeployed";

export const FILTERS: readonly { readonly filter: Filter; readonly word: string }[] = [
  { filter: "all", word: "All" },
  { filter: "running", word: "Running" },
  { filter: "failed", word: "Failed" },
  { filter: "stopped", word: "Stopped" },
  { filter: "undeployed", word: "Not deployed" },
];

export function listCards(topologies: readonly Topology[], jobs: readonly Job[]): Card[] {
  const cards = topologies.flatMap((topology) => listCardsOfTopology(topology, jobs));
  return cards.sort((a, b) => rank(a.status) - rank(b.status) || compareNames(a.name, b.name));
}

export function filterCards(cards: readonly Card[], filter: Filter, search: string): Card[] {
  const words = splitWords(search);
  return cards.filter((card) => belongs(card, filter) && words.every((word) => makeSearchText(card).includes(word)));
}

/** The words of a search, in lower case. */
export function splitWords(search: string): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter((word) => word !== "");
}

export function countCards(cards: readonly Card[]): Readonly<Record<Filter, number>> {
  const of = (filter: Filter) => cards.filter((card) => belongs(card, filter)).length;
  return {
    all: of("all"),
    running: of("running"),
    failed: of("failed"),
    stopped: of("stopped"),
    undeployed: of("undeployed"),
  };
}

function listCardsOfTopology(topology: Topology, jobs: readonly Job[]): Card[] {
  const ownJobs = jobs.filter((job) => job.topology === topology.id);
  if (ownJobs.length === 0) {
    return [{ key: `topology ${topology.id}`, name: topology.name, topology, job: null, status: null }];
  }
  return ownJobs.map((job) => ({
    key: `job ${job.id}`,
    name: nameJob(job, topology),
    topology,
    job,
    status: isFailing(job) ? "failed" : job.status,
  }));
}

/** A job has the name of its topology unless it has its own. */
export function nameJob(job: Job, topology: Topology): string {
  return job.name === topology.slug ? topology.name : job.name;
}

function belongs(card: Card, filter: Filter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "undeployed":
      return card.status === null;
    case "running":
      return card.status !== null && card.status !== "failed" && card.status !== "stopped";
    default:
      return card.status === filter;
  }
}

/** Cards that need attention come first. */
function rank(status: Status | null): number {
  if (status === "failed") return 0;
  if (status === null) return 3;
  return status === "stopped" ? 2 : 1;
}

function makeSearchText(card: Card): string {
  const job = card.job;
  const topology = [card.topology.name, card.topology.project];
  return [card.name, ...topology, job?.application_id ?? "", job?.cluster ?? ""].join(" ").toLowerCase();
}
