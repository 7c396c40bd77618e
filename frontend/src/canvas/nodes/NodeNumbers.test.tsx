import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { createDocumentStore } from "../../editor/document/documentStore";
import { createInterfaceStore } from "../../editor/interface/interfaceStore";
import { EditingContext } from "../../editor/interface/useEditor";
import { documentOf, node, RULES } from "../../editor/samples";
import { Autosave } from "../../editor/saving/saving";
import { LiveContext } from "../../live/LiveContext";
import { LIVE, NUMBERS, SOURCE } from "../../live/samples";
import type { SourceNumbers } from "../../live/state";
import { NOTHING } from "../../live/useLiveJob";
import { NodeNumbers } from "./NodeNumbers";

const orders = { ...node("orders", "stream"), config: { topic: "orders" } };

/** The words on the source, in their order. */
function draw(source: Partial<SourceNumbers>): string {
  const store = createDocumentStore(1, { graph: documentOf([orders]).graph, schemas: {} }, 1);
  const python = { is_allowed: true, why: "" };
  const catalogue = { operators: [], refused: [], pairs: [], messages: {}, cures: {}, python };
  const editing = { store, ui: createInterfaceStore(), autosave: new Autosave(store), catalogue, rules: RULES };
  const numbers = { ...NUMBERS, sources: { orders: { ...SOURCE, ...source } } };
  const live = createStore(() => ({ ...NOTHING, state: { ...LIVE, numbers } }));
  const html = renderToStaticMarkup(
    <EditingContext value={editing}>
      <LiveContext value={live}>
        <NodeNumbers node={orders} isSource />
      </LiveContext>
    </EditingContext>,
  );
  return html.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|");
}

it("says before the rate of a source what it waits for", () => {
  const awaits_schema = { partition: 0, offset: 5, id: 12, why: "unknown", since: 0, partitions: [0] } as const;

  expect(draw({})).toMatch(/^\|500\/s\|lag 5/);
  expect(draw({ total_lag: 29_999, trend: "rising" })).toBe("|500/s|lag 30 k|↑|");
  expect(draw({ total_waiting: 7, held_up: 7 })).toMatch(/^\|7 held up\|500\/s\|/);
  expect(draw({ awaits_schema })).toMatch(/^\|awaits schema 12\|500\/s\|/);
  expect(draw({ rereads: 25_190 })).toMatch(/^\|again 25[.,]\S+\|500\/s\|$/);
});
