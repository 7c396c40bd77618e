import { describe, expect, it } from "vitest";
import type { Correction } from "../../api/types";
import { canSend, describeCorrection, describeCounts, describeNoState, isUnderWay } from "./correction";

const correction = (changes: Partial<Correction> = {}): Correction => ({
  title: "draft",
  against: 2,
  first_batch: 12,
  topic: "orders-corrections",
  status: "ready",
  started_at: "2026-11-28T12:00:00Z",
  sent_at: null,
  sent_by: null,
  preview: {
    batches: 3,
    records: 9,
    since: 1,
    until: 2,
    last_batch: 14,
    count: 4,
    counts: { sums: { newest: 3, deleted: 1 } },
    tables: ["sums"],
    first: [],
    limits: [],
  },
  failure: null,
  no_state: "",
  is_taken: false,
  ...changes,
});

describe("a correction in words", () => {
  it("counts what it does in a topic, by kind", () => {
    expect(describeCounts({ deleted: 1, newest: 1_200 })).toBe("1,200 newest values, 1 tombstone");
  });

  it("does not say that nothing goes on with the corrected state once a version does", () => {
    const after = { status: "sent", no_state: "The job has begun with another version since." } as const;

    expect(describeNoState(correction(after))).toBe(
      "No version can go on with the corrected state. The job has begun with another version since.",
    );
    expect(describeNoState(correction({ ...after, is_taken: true }))).toBe(
      "The right version has taken over with the corrected state.",
    );
  });

  it("says which batches it is about, and who sent it", () => {
    expect(describeCorrection(correction())).toBe("4 corrections of batches 12 to 14, if the draft is right.");
    expect(describeCorrection(correction({ first_batch: 14 }))).toContain("4 corrections of batch 14, if");
    expect(describeCorrection(correction({ status: "sent", sent_by: "ada" }))).toContain(": sent by ada.");
    expect(describeCorrection(correction({ status: "preparing", preview: null }))).toContain("Working out");
  });
});

const KILLED = { code: "trial.failed", message: "It has ended early.", hint: "" } as Correction["failure"];

describe("what can be done with a correction", () => {
  it("can be sent once it is ready, and again after its sender was killed", () => {
    expect(canSend(correction())).toBe(true);
    expect(canSend(correction({ status: "sending" }))).toBe(false);
    expect(canSend(correction({ status: "sending", failure: KILLED }))).toBe(true);
    expect(canSend(correction({ status: "sent" }))).toBe(false);
  });

  it("is under way while a process works on it", () => {
    expect(isUnderWay(correction({ status: "preparing", preview: null }))).toBe(true);
    expect(isUnderWay(correction({ status: "preparing", preview: null, failure: KILLED }))).toBe(false);
    expect(isUnderWay(correction())).toBe(false);
  });
});
