import { expect, it } from "vitest";
import { describeArrival, describeLimit, describePlace, describeState, formatPlace, parsePlace } from "./text";

const limit = (threshold: number, seconds: number, isOn = true) => ({ is_on: isOn, threshold, seconds });
const of = (unit: string, is_floor = false) => ({ unit, is_floor });

it("says when a rule fires", () => {
  expect(describeLimit(of("s"), limit(300, 120))).toBe("more than 5 min for 2 min");
  expect(describeLimit(of("%"), limit(90, 0))).toBe("more than 90 %");
  expect(describeLimit(of(""), limit(2, 0))).toBe("more than 2");
  expect(describeLimit(of("days", true), limit(14, 0))).toBe("less than 14 days");
  expect(describeLimit(of(""), limit(0, 30))).toBe("for 30 s");
  expect(describeLimit(of(""), limit(0, 0))).toBe("at once");
  expect(describeLimit(of("s"), limit(300, 120, false))).toBe("off");
});

it("says where a rule holds, and reads it back", () => {
  const rule = { ...limit(5, 0), by: "ada", job: null, job_name: "", project: null };
  const places = [rule, { ...rule, job: 7, job_name: "flights" }, { ...rule, project: "default" }];
  expect(places.map((each) => describePlace({ is_of_host: false }, each))).toEqual([
    "all jobs",
    "flights",
    "project default",
  ]);
  expect(describePlace({ is_of_host: true }, rule)).toBe("all hosts");
  for (const { job, project } of places) expect(parsePlace(formatPlace({ job, project }))).toEqual({ job, project });
});

it("says how an alert stands", () => {
  expect(describeState({ state: "firing", silenced_until: null })).toEqual(["Firing", "bad"]);
  expect(describeState({ state: "firing", silenced_until: "2026-01-01" })).toEqual(["Silenced", ""]);
  expect(describeState({ state: "pending", silenced_until: null })).toEqual(["Pending", "warn"]);
  expect(describeState({ state: "ended", silenced_until: null })).toEqual(["Ended", ""]);
});

it("says what became of a message", () => {
  expect((["arrived", "waiting", "given_up"] as const).map((state) => describeArrival({ state })[0])).toEqual([
    "Arrived",
    "On its way",
    "Given up",
  ]);
});
