import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { Operator } from "../api/types";
import type { Added } from "../editor/adding";
import type { Rules } from "../editor/connecting";
import type { Document, Position } from "../editor/document";
import { useEditing } from "../editor/useEditor";
import { likely } from "../palette/likely";
import { OperatorList } from "../palette/OperatorList";
import { found } from "../palette/search";
import { Search } from "../parts/Search";
import { walk } from "../parts/walking";
import { focusNode } from "./focus";
import "./NodePicker.css";

export interface Picking {
  /** Where it opens, from the canvas' upper left corner. */
  readonly place: Position;
  /** The new node of an operator, where the picker was opened. */
  readonly add: (operator: string, document: Document, rules: Rules) => Added;
  /** The operator that the new node is to follow. */
  readonly after?: string | undefined;
}

interface Props {
  readonly picking: Picking;
  readonly close: () => void;
}

/** Opens at a port, where an edge was dropped on nothing, or by Tab: type, Enter, and the node stands there. */
export function NodePicker({ picking: { place, add, after }, close }: Props) {
  const { store, ui, catalogue, rules } = useEditing();
  const [search, setSearch] = useState("");
  const panel = useRef<HTMLDivElement>(null);
  const [fitting] = useState(() => {
    const { document: drawn } = store.getState();
    const isJoined = ({ edit }: Added) => edit(drawn).graph.edges.length > drawn.graph.edges.length;
    const joined = catalogue.operators.filter(({ name }) => isJoined(add(name, drawn, rules)));
    return joined.length > 0 ? joined : catalogue.operators;
  });
  const offered = found(fitting, search);
  const first = after === undefined ? [] : likely(fitting, rules.operators.get(after));
  const best = search === "" ? (first[0] ?? offered[0]) : offered[0];
  const choose = (operator: Operator) => {
    const { document: drawn, edit } = store.getState();
    const added = add(operator.name, drawn, rules);
    edit(added.edit);
    ui.getState().select([added.id]);
    close();
    focusNode(added.id);
  };
  const leave = (event: KeyboardEvent) => {
    const [selected] = ui.getState().selection.nodes;
    event.stopPropagation(); // what is selected stays so
    close();
    if (selected !== undefined) focusNode(selected);
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
        if (event.key === "Escape") leave(event);
        const places = [...event.currentTarget.querySelectorAll<HTMLElement>("input, li button")];
        const go = event.key.startsWith("Arrow") ? walk(event.key, places) : null;
        if (go === null) return;
        event.preventDefault();
        go();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <Search
        hasKey={false}
        label="Add a node"
        value={search}
        change={setSearch}
        enter={() => {
          if (best !== undefined) choose(best);
        }}
      />
      <OperatorList operators={offered} grouped={search === ""} likely={first} choose={choose} />
    </div>
  );
}
