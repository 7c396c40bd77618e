import { expect, test } from "vitest";
import { projectsOf, whyNot } from "./rights";
import type { Rights } from "./types";

const RIGHTS: Rights = {
  user: "ada",
  is_product_administrator: false,
  has_password: true,
  provider: "",
  may_change_clusters: false,
  projects: [
    { name: "default", role: "viewer", why_not: { editor: "Not in `default`.", operator: "Nor this." } },
    { name: "orders", role: "operator", why_not: { administrator: "Ask grace." } },
  ],
  why_not: { administrator: "Ask root." },
};

test("a role includes those before it", () => {
  expect(projectsOf(RIGHTS, "viewer")).toEqual(["default", "orders"]);
  expect(projectsOf(RIGHTS, "editor")).toEqual(["orders"]);
  expect(whyNot(RIGHTS, "editor", "orders")).toBeNull();
});

test("who lacks a role reads where, and whom to ask", () => {
  expect(whyNot(RIGHTS, "editor", "default")).toBe("Not in default.");
  expect(whyNot(RIGHTS, "administrator", "orders")).toBe("Ask grace.");
});

test("without a project a role in any of them will do", () => {
  expect(whyNot(RIGHTS, "operator")).toBeNull();
  expect(whyNot(RIGHTS, "administrator")).toBe("Ask root.");
});

test("until the server has answered nothing is taken away", () => {
  expect(whyNot(null, "administrator", "secret")).toBeNull();
});
