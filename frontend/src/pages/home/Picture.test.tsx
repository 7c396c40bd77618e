import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { documentOf, edge, node, RULES } from "../../editor/samples";
import { Picture } from "./Picture";

function draw(size: number): string {
  const nodes = Array.from({ length: size }, (_, at) => node(`n${at}`));
  // a source with many branches
  const edges = nodes.slice(1).map(({ id }) => edge(`n0 ${id}`));
  return renderToStaticMarkup(<Picture graph={documentOf(nodes, edges).graph} operators={RULES.operators} />);
}

it("shows the beginning of a topology that is too large to be seen as a whole", () => {
  const [small, large] = [draw(3), draw(1_000)];

  expect(small.match(/<rect/g)).toHaveLength(3);
  expect(large.match(/<rect/g)?.length).toBeLessThan(20);
  expect(large).toMatch(/viewBox="-\d+ -2 204 184"/);
});
