import { describe, expect, it } from "vitest";
import { SOURCE } from "../../../../live/samples";
import type { Step } from "../../../../live/state";
import { areShown, describeStart, describeSteps, hasReadAll, listSteps } from "./steps";

const begun: Step[] = [
  { step: "session", at: 1_000 },
  { step: "restoring", at: 1_400 },
];
const done: Step[] = [...begun, { step: "first_batch", at: 2_600 }, { step: "running", at: 3_400 }];

describe("the steps of a start", () => {
  it("tell how long each took, and count the current one up", () => {
    expect(describeSteps(listSteps(begun, 3_650))).toBe("Session 0.4 s · Restoring 2.3 s");
    expect(listSteps(begun, 3_650).map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  });

  it("end at running, which takes no time of its own", () => {
    const words = describeSteps(listSteps(done, 99_000));

    expect(words).toBe("Session 0.4 s · Restoring 1.2 s · First batch 0.8 s · Running");
    expect(describeStart(done)).toContain("Started in 2.4 s: Session 0.4 s");
    expect(describeStart(begun)).toBe("");
  });

  it("come to the session a second time once Kafka answers", () => {
    const waited: Step[] = [
      { step: "session", at: 1_000 },
      { step: "kafka", at: 1_400 },
      { step: "session", at: 9_400 },
    ];
    expect(describeSteps(listSteps(waited, 9_900))).toBe("Session 0.4 s · Waiting for Kafka 8.0 s · Session 0.5 s");
  });

  it("never count backwards where two clocks differ", () => {
    expect(describeSteps(listSteps(begun, 900))).toBe("Session 0.4 s · Restoring 0.0 s");
  });

  it("end at waiting where nothing is left to read, instead of counting on", () => {
    const numbers = (...lags: (number | null)[]) => ({
      sources: Object.fromEntries(lags.map((total_lag, index) => [`topic-${index}`, { ...SOURCE, total_lag }])),
    });
    const steps = done.slice(0, 3);

    expect(describeSteps(listSteps(steps, 60_000, hasReadAll(numbers(0, 0))))).toBe(
      "Session 0.4 s · Restoring 1.2 s · Waiting for records",
    );
    for (const read of [numbers(0, 5), numbers(0, null), numbers(), null]) {
      expect(describeSteps(listSteps(steps, 3_000, hasReadAll(read)))).toContain("First batch 0.4 s");
    }
    expect(describeSteps(listSteps(done, 9_000, true))).toContain("First batch 0.8 s · Running");
  });

  it("are shown while it starts and for ten seconds after", () => {
    expect(areShown({ status: "starting", steps: begun }, 60_000)).toBe(true);
    expect(areShown({ status: "running", steps: done }, 13_000)).toBe(true);
    expect(areShown({ status: "running", steps: done }, 13_500)).toBe(false);
    expect(areShown({ status: "failed", steps: begun }, 3_000)).toBe(false);
    expect(areShown({ status: "starting", steps: [] }, 3_000)).toBe(false);
  });
});
