/** The record that is followed through a trial: its steps, and which of them is looked at. */
import { create } from "zustand";
import type { Step } from "../api/types";

/** A record of a topic. */
export interface Origin {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

interface Following {
  /** Null: nobody follows. */
  readonly origin: Origin | null;
  readonly steps: readonly Step[];
  readonly at: number;
}

const NOTHING: Following = { origin: null, steps: [], at: 0 };

export const useFollowing = create<Following>()(() => NOTHING);

export function followRecord(origin: Origin): void {
  useFollowing.setState({ ...NOTHING, origin });
}

export function stopFollowing(): void {
  useFollowing.setState(NOTHING);
}

export function showSteps(steps: readonly Step[]): void {
  useFollowing.setState({ steps, at: 0 });
}

export function goToStep(at: number): void {
  useFollowing.setState({ at });
}

/** The step that a key goes to; null for keys that go nowhere. */
export function stepAfter(key: string, at: number, count: number): number | null {
  const to: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 };
  const next = to[key];
  return next === undefined || count === 0 ? null : Math.min(Math.max(next, 0), count - 1);
}

/** How a node looks while a record is followed: it is on its way, or the step is there. Empty: neither. */
export function lookOf({ steps, at }: Pick<Following, "steps" | "at">, node: string): "" | "on-way" | "at-step" {
  if (steps[at]?.node === node) return "at-step";
  return steps.some((step) => step.node === node) ? "on-way" : "";
}

/** What became of the record of a step, in sentences; none where it just went on. */
export function fateOf({ dropped, no_result, waits, error, outputs, rows }: Step): readonly string[] {
  const said = [
    ...dropped.map((reason) => `Dropped: ${reason}.`),
    ...no_result.map((reason) => `No result: ${reason}.`),
    ...(error === null ? [] : [error]),
    ...(waits > 0 ? ["A result waits here since."] : []),
    ...(waits < 0 ? ["What waited here went on."] : []),
  ];
  if (said.length > 0 || outputs.length > 0) return said;
  return [rows.length > 0 ? "It changed its store, and nothing went on." : "It ends here."];
}
