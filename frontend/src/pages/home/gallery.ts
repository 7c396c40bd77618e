/** The gallery: applications to begin a topology with. */

import type { SampleData } from "../../api/feed";
import type { Application, ExportFile } from "../../api/types";
import { PURPOSES } from "../../api/values";
import { splitWords } from "./cards";

type ShownRecord = Application["records"][number];

/** Applications with every word of the search in their id, name or description. */
export function findApplications(applications: readonly Application[], search: string): readonly Application[] {
  const words = splitWords(search);
  return applications.filter(({ id, name, about }) => {
    const text = `${id} ${name} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export const ALL = "all";
export type Purpose = typeof ALL | Application["purpose"];

/** Each purpose with the number of its applications. */
export function countPurposes(applications: readonly Application[]) {
  const counts = PURPOSES.map((value) => ({
    value,
    word: value.charAt(0).toUpperCase() + value.slice(1),
    count: applications.filter(({ purpose }) => purpose === value).length,
  }));
  return [{ value: ALL, word: "All", count: applications.length }, ...counts] as const;
}

/** One application for each purpose: the first that the user may run. */
export function chooseExamples(applications: readonly Application[]): readonly Application[] {
  const runnable = applications.filter(({ why_not_run }) => why_not_run === "");
  return PURPOSES.flatMap((purpose) => runnable.find((application) => application.purpose === purpose) ?? []);
}

/** The topology in which an application runs in a project. Null if it does not run there. */
export function findRunning(
  running: readonly Pick<SampleData, "application" | "project" | "topology">[],
  application: string,
  project: string,
): number | null {
  const found = running.find((one) => one.application === application && one.project === project);
  return found?.topology ?? null;
}

/** '"u1": {"page":"/"} at 00:00:05', in UTC. */
export function formatRecord({ key, value, timestamp }: Pick<ShownRecord, "key" | "value" | "timestamp">): string {
  const time = new Date(timestamp).toISOString().slice(11, 19);
  return `${JSON.stringify(key)}: ${JSON.stringify(value)} at ${time}`;
}

/** The import file for its topology. */
export function makeExport({ name, graph }: Application): ExportFile {
  return { streamwright: 1, name, graph };
}
