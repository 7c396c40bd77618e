import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Kind } from "../../api/types";
import { RuleDialog } from "./RuleDialog";

const RULE = { is_on: true, threshold: 0, seconds: 30, job: null, job_name: "", project: null, by: "" };
const GONE: Kind = {
  kind: "host_gone",
  title: "Host gone",
  help: "The agent of a host does not report.",
  unit: "",
  is_of_host: true,
  is_floor: false,
  has_limit: false,
  usual: { is_on: true, threshold: 0, seconds: 30 },
  rule: RULE,
  of_projects: [],
  of_jobs: [],
};

const drawn = (kind: Kind) =>
  renderToStaticMarkup(
    <RuleDialog kind={kind} rule={RULE} onChange={() => Promise.resolve()} close={() => undefined} />,
  );

it("asks for a limit only where the figure is a number", () => {
  expect(drawn(GONE)).toContain("For, in s");
  expect(drawn(GONE)).not.toContain("More than");
  expect(drawn({ ...GONE, kind: "disk", unit: "%", has_limit: true })).toContain("More than, in %");
});
