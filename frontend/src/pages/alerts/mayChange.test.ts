import { expect, test } from "vitest";
import type { Rights, Rule } from "../../api/types";
import { explainWhyNotOf, explainWhyNotRule } from "./mayChange";

const JOBS = [
  { id: 7, project: "default" },
  { id: 8, project: "orders" },
];
const RIGHTS: Rights = {
  user: "ada",
  is_product_administrator: false,
  has_password: true,
  provider: "",
  may_change_clusters: false,
  why_not_clusters: "Ask root.",
  projects: [
    { name: "default", role: "viewer", why_not: { operator: "Ask grace." } },
    { name: "orders", role: "operator", why_not: {} },
  ],
  why_not: {},
};
const VIEWER: Rights = {
  ...RIGHTS,
  projects: RIGHTS.projects.slice(0, 1),
  why_not: { operator: "Ask root or grace." },
};

test("an alert is silenced by an operator of its job's project", () => {
  expect(explainWhyNotOf(7, JOBS, RIGHTS)).toBe("Ask grace.");
  expect(explainWhyNotOf(8, JOBS, RIGHTS)).toBeNull();
  expect(explainWhyNotOf(null, JOBS, RIGHTS)).toBe("Ask root.");
  expect(explainWhyNotOf(null, JOBS, { ...RIGHTS, why_not_clusters: "" })).toBeNull();
});

test("a rule is changed by an operator of its project, and one of hosts by who may change clusters", () => {
  const explain = (isOfHost: boolean, rule: Partial<Pick<Rule, "job" | "project">>, rights: Rights) =>
    explainWhyNotRule({ is_of_host: isOfHost }, { job: null, project: null, ...rule }, JOBS, rights);

  expect(explain(false, {}, RIGHTS), "they may choose their project in its dialog").toBeNull();
  expect(explain(false, { project: "default" }, RIGHTS)).toBe("Ask grace.");
  expect(explain(false, { job: 7 }, RIGHTS)).toBe("Ask grace.");
  expect(explain(false, { job: 8 }, RIGHTS)).toBeNull();
  expect(explain(true, {}, RIGHTS)).toBe("Ask root.");
  expect(explain(false, {}, VIEWER)).toBe("Ask root or grace.");
  expect(explain(true, {}, { ...VIEWER, why_not_clusters: "" })).toBeNull();
});
