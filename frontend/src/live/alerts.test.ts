import { expect, it } from "vitest";
import type { Alert } from "../api/types";
import { describeAlerts, findFiring, findFiringOn, isUnsilenced } from "./alerts";

const alert = (part: string, more: Partial<Alert> = {}): Alert => ({
  id: 1,
  kind: "drops",
  title: "Drops",
  text: `\`${part}\` of flights drops records.`,
  job: 7,
  host: "",
  part,
  where: "flights",
  state: "firing",
  since: "2026-01-01T00:00:00Z",
  fired_at: null,
  ended_at: null,
  silenced_until: null,
  ...more,
});

const ALERTS = [alert("late"), alert("orders"), alert("late", { state: "pending" }), alert("late", { job: 8 })];

it("finds what fires of a job, and of its nodes and topics", () => {
  expect(findFiring(ALERTS, 7).map(({ part }) => part)).toEqual(["late", "orders"]);
  expect(findFiring(ALERTS, 7, ["late", "other"]).map(({ part }) => part)).toEqual(["late"]);
});

it("tells what fires from what is silenced or only pending", () => {
  expect(isUnsilenced(alert("late"))).toBe(true);
  expect(isUnsilenced(alert("late", { silenced_until: "2026-01-01T01:00:00Z" }))).toBe(false);
  expect(isUnsilenced(alert("late", { state: "pending" }))).toBe(false);
});

it("finds what fires of a host", () => {
  const full = alert("", { job: null, host: "one" });
  const all = [...ALERTS, full, { ...full, host: "two" }, { ...full, state: "pending" } as const];
  expect(findFiringOn(all, "one")).toEqual([full]);
});

it("says what they say, a line each", () => {
  expect(describeAlerts(findFiring(ALERTS, 7))).toBe(
    "late of flights drops records.\norders of flights drops records.",
  );
});
