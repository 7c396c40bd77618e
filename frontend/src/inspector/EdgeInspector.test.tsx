import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { EditingContext } from "../editor/interface/useEditor";
import { documentOf, edge, editingOf, node } from "../editor/samples";
import { LiveContext } from "../live/LiveContext";
import { LIVE, NODE, NUMBERS } from "../live/samples";
import { NOTHING } from "../live/useLiveJob";
import { EdgeInspector } from "./EdgeInspector";

const split = { ...node("sizes", "split"), config: { branches: [{ name: "big" }] } };
const big = { ...edge("sizes kept"), source_port: "big" };
const drawn = documentOf([node("orders", "stream"), split, node("kept")], [edge("orders sizes"), big]);

it("shows the records of the edge, and not those of all outputs of its source", () => {
  const nodes = { sizes: { ...NODE, out_rate: 90 }, kept: { ...NODE, rate: 30 } };
  const live = createStore(() => ({ ...NOTHING, state: { ...LIVE, numbers: { ...NUMBERS, nodes } } }));

  const html = renderToStaticMarkup(
    <EditingContext value={editingOf(drawn)}>
      <LiveContext value={live}>
        <EdgeInspector edge={big} graph={drawn.graph} isReadOnly />
      </LiveContext>
    </EditingContext>,
  );

  expect(html).toContain("<dd>30 /s</dd>");
});
