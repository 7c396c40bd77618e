import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Catalogue, GraphEdge, GraphNode } from "../../api/types";
import { explainWhyNot, makeRules } from "./connecting";

interface Wiring {
  readonly rules: Pick<Catalogue, "operators" | "refused" | "pairs" | "messages">;
  readonly examples: readonly {
    readonly nodes: Readonly<Record<string, readonly [string, GraphNode["config"]]>>;
    readonly edges: readonly string[];
    readonly edge: string;
    readonly refused: string | null;
  }[];
}

const FILE = join(import.meta.dirname, "../../../../tests/designer/checks/wiring.json");
const { rules, examples } = JSON.parse(readFileSync(FILE, "utf8")) as Wiring;
const RULES = makeRules(rules);

/** `a > b.left` runs from the output `result` of a; `a.rest > b.left` names another. */
function edgeIn(text: string): GraphEdge {
  const [from = "", to = ""] = text.split(" > ");
  const [source = "", source_port = "result"] = from.split(".");
  const [target = "", target_port = ""] = to.split(".");
  return { source, source_port, target, target_port };
}

/** The page words a refusal as `edge.` where the server, which finds the edge drawn, says `port.` or `graph.`. */
function kindOf(code: string | null | undefined): string | null {
  return code?.split(".")[1] ?? null;
}

it.each(examples)("an edge $edge is judged as by the server: $refused", ({ nodes, edges, edge, refused }) => {
  const drawn = Object.entries(nodes).map(([id, [operator, config]]) => ({
    id,
    operator,
    config,
    position: { x: 0, y: 0 },
  }));

  const reason = explainWhyNot(edgeIn(edge), { nodes: drawn, edges: edges.map(edgeIn) }, RULES);

  expect(kindOf(reason?.code)).toBe(kindOf(refused));
  expect(reason?.message ?? "").not.toMatch(/[{}]|^edge\./);
});
