import { expect, it } from "vitest";
import { mayPass, readRefusal, Refusal, toRefusal } from "./refusal";

it("keeps the server's message, hint and details", () => {
  const body = { code: "topology.has_issues", message: "Two issues.", hint: "Fix each.", issues: [{ node: "a" }] };

  const refusal = readRefusal(422, body);

  expect([refusal.code, refusal.message, refusal.hint]).toEqual(["topology.has_issues", "Two issues.", "Fix each."]);
  expect(refusal.details).toEqual({ issues: [{ node: "a" }] });
});

it("speaks for itself when the answer is no JSON of ours", () => {
  expect(readRefusal(404, null).message).toBe("This no longer exists.");
  expect(readRefusal(502, "<html>").message).toBe("The server answered 502 without a reason.");
});

it("says that the server is out of reach when nothing came back", () => {
  expect(toRefusal(new TypeError("Failed to fetch")).code).toBe("unreachable");
});

it("may pass when the server was away or failed, and not when it refused", () => {
  expect([0, 500, 502, 503].map((status) => mayPass({ status }))).toEqual([true, true, true, true]);
  expect([400, 403, 404, 409, 422].some((status) => mayPass({ status }))).toBe(false);
});

it("passes a refusal through", () => {
  const refusal = new Refusal(409, "conflict", "Stopping already.", "Wait.");

  expect(toRefusal(refusal)).toBe(refusal);
});
