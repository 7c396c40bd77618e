import { expect, it } from "vitest";
import type { Proof } from "../../api/types";
import { describeShare, formatShare, lookAtProof, proveJob, showProof, useProof } from "./proving";

const PROOF = { title: "draft" } as Proof;

it("shows the proof of the job on the screen only, whose nodes may have the ids of another topology", () => {
  proveJob(1);
  showProof(1, PROOF);
  expect(useProof.getState().proof).toBe(PROOF);

  proveJob(2);
  expect(useProof.getState().proof).toBeNull();

  showProof(1, PROOF); // asked before
  expect(useProof.getState().proof).toBeNull();
});

it("keeps a proof that has started, whatever was asked before answers", async () => {
  proveJob(1);
  let answer: (proof: Proof | null) => void = () => undefined;
  const asked = lookAtProof(1, () => new Promise((resolve) => (answer = resolve)));

  showProof(1, PROOF);
  answer(null);
  await asked;
  expect(useProof.getState().proof).toBe(PROOF);

  await lookAtProof(1, () => Promise.resolve(null));
  expect(useProof.getState().proof).toBeNull();
});

it("writes a share with as many digits as it needs", () => {
  expect([0, 0.00001, 0.004, 0.0523, 0.126, 1].map(formatShare)).toEqual([
    "0 %",
    "< 0.1 %",
    "0.4 %",
    "5.2 %",
    "13 %",
    "100 %",
  ]);
});

it("says for how many input records a node differs, and whether it is the first", () => {
  const counts = { inputs: 8, differing: 2, share: 0.25, first: "orders-0@3", differences: 1 };
  const share = "Gives something else for 2 of 8 input records in the new version, first for orders-0@3.";

  expect(describeShare(counts, false)).toBe(share);
  expect(describeShare(counts, true)).toBe(`${share} The first node that differs.`);
});
