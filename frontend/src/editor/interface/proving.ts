/** The newest proof of the job, for the drawer and for badges on nodes. */
import { create } from "zustand";
import type { Proof, ProofReport } from "../../api/types";

interface Proving {
  /** Null: nothing was proved, or it is not known yet. */
  readonly proof: Proof | null;
}

export const useProof = create<Proving>()(() => ({ proof: null }));

export function showProof(proof: Proof | null): void {
  useProof.setState({ proof });
}

export type NodeCounts = ProofReport["nodes"][string];

/** `0.4 %`. A share that rounds to nothing is still more than nothing. */
export function formatShare(share: number): string {
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent >= 10 ? Math.round(percent) : Math.round(percent * 10) / 10} %`;
}

export function describeShare({ differing, inputs, first }: NodeCounts, isFirst: boolean): string {
  const many = `${differing} of ${inputs} input records`;
  const share = `Gives something else for ${many} in the new version, first for ${first ?? "?"}.`;
  return isFirst ? `${share} The first node that differs.` : share;
}
