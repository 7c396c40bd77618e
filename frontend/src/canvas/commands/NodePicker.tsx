import { useState } from "react";
import type { Operator } from "../../api/types";
import type { Added } from "../../editor/edits/adding";
import type { Rules } from "../../editor/edges/connecting";
import type { Document, Position } from "../../editor/document/document";
import { useEditing } from "../../editor/interface/useEditor";
import { likely } from "../../palette/likely";
import { OperatorList } from "../../palette/OperatorList";
import { findOperators } from "../../palette/search";
import { focusNode } from "../flow/focus";
import { SearchPanel } from "./SearchPanel";
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
  const [fitting] = useState(() => {
    const { document: drawn } = store.getState();
    const isJoined = ({ edit }: Added) => edit(drawn).graph.edges.length > drawn.graph.edges.length;
    const joined = catalogue.operators.filter(({ name }) => isJoined(add(name, drawn, rules)));
    return joined.length > 0 ? joined : catalogue.operators;
  });
  const offered = findOperators(fitting, search);
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
  return (
    <SearchPanel
      className="node-picker"
      style={{ left: place.x, top: place.y }}
      label="Add a node"
      wanted="Add a node"
      search={search}
      change={setSearch}
      enter={() => {
        if (best !== undefined) choose(best);
      }}
      close={close}
    >
      <OperatorList operators={offered} isGrouped={search === ""} likely={first} choose={choose} />
    </SearchPanel>
  );
}
