import { useEffect, useRef, useState } from "react";
import type { Operator } from "../api/types";
import { addOperator, type From } from "../editor/adding";
import { firstConfig } from "../editor/configuring";
import { fitting } from "../editor/connecting";
import type { Position } from "../editor/document";
import { useEditing } from "../editor/useEditor";
import { OperatorList } from "../palette/OperatorList";
import { found } from "../palette/search";
import { Search } from "../parts/Search";
import "./NodePicker.css";

export interface Picking {
  /** Where it opens, from the canvas' upper left corner. */
  readonly place: Position;
  /** Where the new node comes to stand. */
  readonly at: Position;
  /** The output it is to be fed by: only what fits is offered. */
  readonly from: From | null;
}

interface Props {
  readonly picking: Picking;
  readonly close: () => void;
}

/** Opens where an edge was dropped on nothing, or by Tab: type, Enter, and the node stands there. */
export function NodePicker({ picking: { place, at, from }, close }: Props) {
  const { store, ui, catalogue, rules } = useEditing();
  const [search, setSearch] = useState("");
  const panel = useRef<HTMLDivElement>(null);
  const { document: drawn, edit } = store.getState();
  const { select } = ui.getState();
  const fits = (operator: Operator) => {
    if (from === null) return true;
    const probe = { id: "?", operator: operator.name, config: firstConfig(operator), position: at };
    const graph = { ...drawn.graph, nodes: [...drawn.graph.nodes, probe] };
    return fitting(from.source, from.port, "?", graph, rules) !== null;
  };
  const offered = found(catalogue.operators.filter(fits), search);
  const choose = (operator: Operator) => {
    const added = addOperator(operator.name, at, drawn, rules, from === null ? [] : [from]);
    edit(added.edit);
    select([added.id]);
    close();
  };
  useEffect(() => {
    panel.current?.querySelector("input")?.focus();
  }, []);
  return (
    <div
      ref={panel}
      className="node-picker"
      role="dialog"
      aria-label="Add a node"
      style={{ left: place.x, top: place.y }}
      onKeyDown={(event) => {
        const best = offered[0];
        if (event.key === "Escape") close();
        if (event.key === "Enter" && event.target instanceof HTMLInputElement && best !== undefined) choose(best);
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <Search hasKey={false} label="Add a node" value={search} change={setSearch} />
      <OperatorList operators={offered} grouped={search === ""} choose={choose} />
    </div>
  );
}
