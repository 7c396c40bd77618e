import { expect, test } from "vitest";
import { projectsOf, whyNot } from "./rights";
import type { Rights } from "./types";

const RIGHTS: Rights = {
  user: "ada",
  product: false,
  password: true,
  provider: "",
  clusters: false,
  projects: [
    { name: "default", role: "viewer", administrators: ["grace"] },
    { name: "orders", role: "operator", administrators: ["grace", "edsger"] },
  ],
  administrators: ["root"],
};

test("a role includes those before it", () => {
  expect(projectsOf(RIGHTS, "viewer")).toEqual(["default", "orders"]);
  expect(projectsOf(RIGHTS, "editor")).toEqual(["orders"]);
  expect(whyNot(RIGHTS, "editor", "orders")).toBeNull();
});

test("who lacks a role reads where, and whom to ask", () => {
  const why = whyNot(RIGHTS, "operator", "default");
  expect(why).toBe("This needs the role operator in the project default. Ask grace for it.");
  expect(whyNot(RIGHTS, "administrator", "orders")).toContain("Ask grace or edsger for it.");
  expect(whyNot(RIGHTS, "viewer", "secret")).toContain("Ask root for it.");
});

test("without a project a role in any of them will do", () => {
  expect(whyNot(RIGHTS, "operator")).toBeNull();
  expect(whyNot(RIGHTS, "administrator")).toBe("This needs the role administrator in a project. Ask root for it.");
});

test("until the server has answered nothing is taken away", () => {
  expect(whyNot(null, "administrator", "secret")).toBeNull();
});
