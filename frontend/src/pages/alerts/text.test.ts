import { expect, it } from "vitest";
import type { Delivery } from "../../api/types";
import {
  describeArrival,
  describeLimit,
  describePlace,
  describeState,
  formatPlace,
  nameThreshold,
  parsePlace,
} from "./text";

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

it("names a threshold with its unit", () => {
  expect(nameThreshold(of("s"))).toBe("More than, in s");
  expect(nameThreshold(of("per minute"))).toBe("More than, per minute");
  expect(nameThreshold(of("days", true))).toBe("Less than, in days");
  expect(nameThreshold(of(""))).toBe("More than");
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

it("says what became of a message, and that the end of an alert waits for its beginning", () => {
  const describe = (state: Delivery["state"], tries: number, what: Delivery["what"] = "fired") =>
    describeArrival({ state, tries, what });

  expect(describe("arrived", 2)).toEqual(["Arrived", "good"]);
  expect(describe("waiting", 0)).toEqual(["On its way", "moving"]);
  expect(describe("waiting", 0, "ended")).toEqual(["On its way, after the message before", "moving"]);
  expect(describe("waiting", 1)).toEqual(["Not arrived, tried again", "warn"]);
  expect(describe("given_up", 9)).toEqual(["Given up", "bad"]);
});
