import { describe, expect, it } from "vitest";
import type { Job, Topology } from "../../api/types";
import type { Status } from "../../live/state";
import { SETTINGS } from "../../api/samples";
import { JOB_STATUS } from "../../live/samples";
import { countCards, filterCards, listCards } from "./cards";

function topology(id: number, name: string): Topology {
  return {
    id,
    name,
    is_slug_fixed: true,
    project: "default",
    slug: name.toLowerCase().replaceAll(" ", "-"),
    owner: "ada",
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    updated_by: "ada",
    newest_version: null,
  };
}

function job(id: number, of: Topology, status: Status, name = of.slug): Job {
  return {
    ...JOB_STATUS,
    id,
    name,
    application_id: name,
    project: of.project,
    topology: of.id,
    version: 3,
    version_number: 1,
    cluster: "local",
    spark: "",
    status,
    settings: SETTINGS,
    generation: 1,
    created_at: "2026-01-01T00:00:00Z",
    created_by: "ada",
    updated_at: "2026-01-01T00:00:00Z",
    updated_by: "ada",
  };
}

const [delays, words, fraud] = [topology(1, "Flight delays"), topology(2, "Word count"), topology(3, "Fraud score")];

describe("the cards", () => {
  it("are one for each job, and one for each topology without", () => {
    const jobs = [job(1, delays, "running"), job(2, delays, "stopped", "delays-test")];

    const cards = listCards([delays, fraud], jobs);

    expect(cards.map((card) => card.name)).toEqual(["Flight delays", "delays-test", "Fraud score"]);
    expect(cards.at(-1)?.job).toBeNull();
  });

  it("of names with numbers stand in the order of these", () => {
    const topologies = [topology(1, "Orders 11"), topology(2, "Orders 2"), topology(3, "orders 1")];

    expect(listCards(topologies, []).map(({ name }) => name)).toEqual(["orders 1", "Orders 2", "Orders 11"]);
  });

  it("count a job that fails again and again as failed, although it is starting", () => {
    const [once, often] = [job(1, delays, "starting"), job(2, words, "starting")];

    const cards = listCards([delays, words], [{ ...once, failed_runs: 1 }, { ...often, failed_runs: 3 }]);

    expect(cards.map((card) => [card.name, card.status])).toEqual([
      ["Word count", "failed"],
      ["Flight delays", "starting"],
    ]);
    expect(countCards(cards)).toMatchObject({ running: 1, failed: 1 });
  });

  it("show first what needs someone", () => {
    const jobs = [job(1, delays, "running"), job(2, words, "failed")];

    expect(listCards([delays, words, fraud], jobs).map((card) => card.status)).toEqual(["failed", "running", null]);
  });
});

describe("searching", () => {
  const cards = listCards([delays, words, fraud], [job(1, delays, "restoring"), job(2, words, "stopped", "counter")]);

  it("finds by every word of name, topology, application or cluster", () => {
    expect(filterCards(cards, "all", "FLIGHT local").map((card) => card.name)).toEqual(["Flight delays"]);
    expect(filterCards(cards, "all", "word").map((card) => card.name)).toEqual(["counter"]);
    expect(filterCards(cards, "all", "  ")).toHaveLength(3);
  });

  it("counts a job on its way up as running", () => {
    expect(filterCards(cards, "running", "").map((card) => card.name)).toEqual(["Flight delays"]);
    expect(countCards(cards)).toEqual({ all: 3, running: 1, failed: 0, stopped: 1, undeployed: 1 });
  });
});
