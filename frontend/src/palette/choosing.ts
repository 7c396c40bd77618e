import { addOperator, NODE, placeBehind } from "../editor/adding";
import type { Position } from "../editor/document";
import { outputsOf } from "../graph/ports";
import type { Editing } from "../editor/useEditor";

/** Sets a new node behind the selected one and joins them where that is legal; without a selection at `centre`. */
export function chosen(operator: string, { store, ui, rules }: Editing, centre: Position): void {
  const { document, edit } = store.getState();
  const { selection, select } = ui.getState();
  const [only, ...others] = selection.nodes;
  const before = others.length === 0 ? document.graph.nodes.find(({ id }) => id === only) : undefined;
  const outputs = outputsOf(before, rules.operators).map(({ name }) => name);
  const isRead = (port: string) =>
    document.graph.edges.some(({ source, source_port }) => source === only && source_port === port);
  const port = outputs.find((name) => !isRead(name)) ?? outputs[0];
  const at = { x: centre.x - NODE.width / 2, y: centre.y - NODE.height / 2 };
  const added =
    before === undefined || port === undefined
      ? addOperator(operator, at, document, rules)
      : addOperator(operator, placeBehind(before, document.graph.nodes), document, rules, { source: before.id, port });
  edit(added.edit);
  select([added.id]);
}
