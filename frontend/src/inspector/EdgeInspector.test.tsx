import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { createDocumentStore } from "../editor/document/documentStore";
import { createInterfaceStore } from "../editor/interface/interfaceStore";
import { EditingContext } from "../editor/interface/useEditor";
import { documentOf, edge, node, RULES } from "../editor/samples";
import { Autosave } from "../editor/saving/saving";
import { LiveContext } from "../live/LiveContext";
import { LIVE, NODE, NUMBERS } from "../live/samples";
import { NOTHING } from "../live/useLiveJob";
import { EdgeInspector } from "./EdgeInspector";

const split = { ...node("sizes", "split"), config: { branches: [{ name: "big" }] } };
const big = { ...edge("sizes kept"), source_port: "big" };
const drawn = documentOf([node("orders", "stream"), split, node("kept")], [edge("orders sizes"), big]);

it("shows the records of the edge, and not those of all outputs of its source", () => {
  const store = createDocumentStore(1, drawn, 1);
  const editing = {
    store,
    ui: createInterfaceStore(),
    autosave: new Autosave(store),
    catalogue: {
      operators: [],
      refused: [],
      pairs: [],
      messages: {},
      cures: {},
      python: { is_allowed: true, why: "" },
    },
    rules: RULES,
  };
  const nodes = { sizes: { ...NODE, out_rate: 90 }, kept: { ...NODE, rate: 30 } };
  const live = createStore(() => ({ ...NOTHING, state: { ...LIVE, numbers: { ...NUMBERS, nodes } } }));

  const html = renderToStaticMarkup(
    <EditingContext value={editing}>
      <LiveContext value={live}>
        <EdgeInspector edge={big} graph={drawn.graph} isReadOnly />
      </LiveContext>
    </EditingContext>,
  );

  expect(html).toContain("<dd>30 /s</dd>");
});
