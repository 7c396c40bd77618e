import { afterEach, expect, test, vi } from "vitest";
import { createProject } from "./calls";
import { explainWhyNot, explainWhyNotClusters, fetchRights, listProjects } from "./rights";
import type { Rights } from "./types";

const RIGHTS: Rights = {
  user: "ada",
  is_product_administrator: false,
  has_password: true,
  provider: "",
  may_change_clusters: false,
  why_not_clusters: "Only `root` can.",
  projects: [
    { name: "default", role: "viewer", why_not: { editor: "Not in `default`.", operator: "Nor this." } },
    { name: "orders", role: "operator", why_not: { administrator: "Ask grace." } },
  ],
  why_not: { administrator: "Ask root." },
};

afterEach(() => vi.unstubAllGlobals());

test("who makes a project has rights in it at once", async () => {
  const asked: string[] = [];
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.resolve(new Response("{}"));
  });

  await fetchRights();
  await fetchRights();
  await createProject("orders");
  await fetchRights();

  expect(asked).toEqual(["/api/rights", "/api/projects", "/api/rights"]);
});

test("a role includes those before it", () => {
  expect(listProjects(RIGHTS, "viewer")).toEqual(["default", "orders"]);
  expect(listProjects(RIGHTS, "editor")).toEqual(["orders"]);
  expect(explainWhyNot(RIGHTS, "editor", "orders")).toBeNull();
});

test("who lacks a role reads where, and whom to ask", () => {
  expect(explainWhyNot(RIGHTS, "editor", "default")).toBe("Not in default.");
  expect(explainWhyNot(RIGHTS, "administrator", "orders")).toBe("Ask grace.");
});

test("without a project a role in any of them will do", () => {
  expect(explainWhyNot(RIGHTS, "operator")).toBeNull();
  expect(explainWhyNot(RIGHTS, "administrator")).toBe("Ask root.");
});

test("who may not change clusters reads whom to ask", () => {
  expect(explainWhyNotClusters(RIGHTS)).toBe("Only root can.");
  expect(explainWhyNotClusters({ ...RIGHTS, why_not_clusters: "" })).toBeNull();
});

test("until the server has answered nothing is taken away", () => {
  expect(explainWhyNotClusters(null)).toBeNull();
  expect(explainWhyNot(null, "administrator", "secret")).toBeNull();
});
