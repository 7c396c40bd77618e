/** The followed record: its steps, and the current one. */
import { create } from "zustand";
import type { FollowedWay, Origin, Step, StoredRow } from "../../api/types";

/** An input record of a kept batch, or the first one, and whether it goes through its version or the draft. */
export interface BatchStep {
  readonly batch: number;
  readonly record: Origin | null;
  readonly through: "version" | "draft" | "both";
}

/** The same place on the ways of a record through both versions. Null: in that version it does not come there. */
export interface StepPair {
  readonly version: Step | null;
  readonly draft: Step | null;
}

/** What the user follows: a record of a topic, the row of a table, or a step through a kept batch. */
export type FollowTarget =
  | { readonly record: Origin }
  | { readonly row: StoredRow }
  | { readonly step: BatchStep };

interface Following {
  /** Null: nothing is followed. */
  readonly target: FollowTarget | null;
  /** Through the job or a trial; null: through the job if there is one. */
  readonly through: "job" | "trial" | null;
  /** The user's own records that include it, or null if it is in its topic. */
  readonly lines: string | null;
  /** The input of the steps, or null until known. */
  readonly origin: Origin | null;
  readonly steps: readonly Step[];
  /** The steps through both versions, side by side. Null: the record is followed through one of them. */
  readonly pairs: readonly StepPair[] | null;
  readonly at: number;
}

const NOTHING: Following = {
  target: null,
  through: null,
  lines: null,
  origin: null,
  steps: [],
  pairs: null,
  at: 0,
};

export const useFollowing = create<Following>()(() => NOTHING);

export function follow(target: FollowTarget, options: Partial<Pick<Following, "through" | "lines">> = {}): void {
  useFollowing.setState({ ...NOTHING, ...options, target });
}

/** Follows the same through the job or a trial. */
export function followThrough(through: "job" | "trial"): void {
  const { target } = useFollowing.getState();
  if (target !== null) follow(target, { through });
}

export function stopFollowing(): void {
  useFollowing.setState(NOTHING);
}

export function showWay({ steps, at, origin }: FollowedWay): void {
  useFollowing.setState({ steps, pairs: null, at, origin });
}

/** Shows the ways of a record through both versions, at the first step that differs. */
export function showBothWays(version: FollowedWay, draft: FollowedWay): void {
  const pairs = pairSteps(version.steps, draft.steps);
  const steps = pairs.flatMap(({ version, draft }) => version ?? draft ?? []);
  const at = Math.max(0, pairs.findIndex(differs));
  useFollowing.setState({ steps, pairs, at, origin: version.origin });
}

/** The steps of two ways side by side, each way in its order. Steps at the same node belong together. */
export function pairSteps(version: readonly Step[], draft: readonly Step[]): readonly StepPair[] {
  const pairs: StepPair[] = [];
  let next = 0;
  for (const step of version) {
    const found = draft.findIndex(({ node }, index) => index >= next && node === step.node);
    if (found < 0) {
      pairs.push({ version: step, draft: null });
      continue;
    }
    pairs.push(...draft.slice(next, found).map((draft) => ({ version: null, draft })));
    pairs.push({ version: step, draft: draft[found] ?? null });
    next = found + 1;
  }
  return [...pairs, ...draft.slice(next).map((draft) => ({ version: null, draft }))];
}

/** Whether the versions make something else of the record at a step. */
export function differs({ version, draft }: StepPair): boolean {
  return describeResult(version) !== describeResult(draft);
}

function describeResult(step: Step | null): string {
  if (step === null) return "";
  const { record, outputs, dropped, no_result, waits, error, rows } = step;
  return JSON.stringify([record, outputs, dropped, no_result, waits, error, rows]);
}

/** The way that a step is on, whose numbers its `from_step` means. */
export function findWay({ steps, pairs }: Pick<Following, "steps" | "pairs">, step: Step): readonly Step[] {
  const ways = (["version", "draft"] as const).map((side) => (pairs ?? []).flatMap((pair) => pair[side] ?? []));
  return ways.find((way) => way.includes(step)) ?? steps;
}

/** The record that a link to the followed item names. Null for the user's own, or if unknown. */
export function findLinkedRecord({
  target,
  origin,
  lines,
}: Pick<Following, "target" | "origin" | "lines">): Origin | null {
  if (target === null || lines !== null || "step" in target) return null;
  return "record" in target ? target.record : origin;
}

export function showStep(at: number): void {
  useFollowing.setState({ at });
}

/** The next step for a key. Null for keys that move nowhere. */
export function findStepAfter(key: string, at: number, count: number): number | null {
  const to: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 };
  const next = to[key];
  return next === undefined || count === 0 ? null : Math.min(Math.max(next, 0), count - 1);
}

/** The look of a node while a record is followed: on its path, or at the step. Empty: neither. */
export function findLook({ steps, at }: Pick<Following, "steps" | "at">, node: string): "" | "on-way" | "at-step" {
  if (steps[at]?.node === node) return "at-step";
  return steps.some((step) => step.node === node) ? "on-way" : "";
}

/**
 * The result of a step for its record, in sentences. None if the record just continued. `steps` are all of the way,
 * and `writes` says whether the node writes a topic.
 */
export function describeOutcome(step: Step, steps: readonly Step[], writes: boolean): readonly string[] {
  const { dropped, no_result, waits, error, outputs, rows } = step;
  const sentences = [
    ...dropped.map((reason) => `Dropped: ${reason}.`),
    ...no_result.map((reason) => `No result: ${reason}.`),
    ...(error === null ? [] : [error]),
    ...(waits > 0 ? ["A result now waits here."] : []),
    ...(waits < 0 ? ["A result that waited here was forwarded."] : []),
  ];
  if (sentences.length > 0 || outputs.length > 0) return sentences;
  if (writes) return ["Written to the topic."];
  const goesOn = steps.some(({ from_step }) => from_step !== null && steps[from_step] === step);
  if (goesOn) return ["On to the task of its key."];
  return [rows.length > 0 ? "The node changed its store and forwarded nothing." : "The record ends here."];
}
