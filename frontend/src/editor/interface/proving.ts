/** The newest proof of the job on the screen, for the drawer and for badges on nodes. */
import { create } from "zustand";
import { AnswerOrder } from "../../api/answerOrder";
import type { Proof, ProofReport } from "../../api/types";

interface Proving {
  /** The job on the screen. Null: none. */
  readonly job: number | null;
  /** Null: nothing was proved, or it is not known yet. */
  readonly proof: Proof | null;
}

export const useProof = create<Proving>()(() => ({ job: null, proof: null }));
const order = new AnswerOrder();

/** The screen shows another job, or none. Nodes of other topologies may have the same ids. */
export function proveJob(job: number | null): void {
  useProof.setState({ job, proof: null });
}

/** Shows the proof of a job as `ask` says it, unless the screen has left the job or shows what is newer. */
export async function lookAtProof(job: number, ask: (job: number) => Promise<Proof | null>): Promise<void> {
  const isNewer = order.begin();
  const proof = await ask(job);
  if (isNewer() && job === useProof.getState().job) useProof.setState({ proof });
}

/** Shows what the start or the end of a proof has answered. It is newer than all that was asked before. */
export function showProof(job: number, proof: Proof): void {
  order.forget();
  if (job === useProof.getState().job) useProof.setState({ proof });
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
