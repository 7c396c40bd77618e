import { useState } from "react";
import type { Operator } from "../../api/types";
import type { Addition } from "../../editor/edits/adding";
import type { Rules } from "../../editor/edges/connecting";
import type { Document, Position } from "../../editor/document/document";
import { useEditing } from "../../editor/interface/useEditor";
import { listLikely } from "../palette/listLikely";
import { listRecent, noteRecent } from "../palette/recent";
import { OperatorList } from "../palette/OperatorList";
import { findOperators } from "../palette/search";
import { enterNode } from "../flow/focus";
import { SearchPanel } from "./SearchPanel";
import "./NodePicker.css";

export interface Picking {
  /** Its place from the canvas' upper left corner. */
  readonly place: Position;
  /** Adds a node of the operator at the place of the picker. */
  readonly add: (operator: string, document: Document, rules: Rules) => Addition;
  /** The operator before the new node. */
  readonly after?: string | undefined;
}

interface Props {
  readonly picking: Picking;
  readonly close: () => void;
}

/** Opens at a port, where a drag ended on nothing, or by Tab. Type and press Enter to add a node. */
export function NodePicker({ picking: { place, add, after }, close }: Props) {
  const editing = useEditing();
  const { store, catalogue, rules } = editing;
  const [search, setSearch] = useState("");
  const [fitting] = useState(() => {
    const { document } = store.getState();
    const isJoined = ({ edit }: Addition) => edit(document).graph.edges.length > document.graph.edges.length;
    const joinable = catalogue.operators.filter(({ name }) => isJoined(add(name, document, rules)));
    return joinable.length > 0 ? joinable : catalogue.operators;
  });
  const choices = findOperators(fitting, search);
  const [recent] = useState(listRecent);
  const first =
    after === undefined
      ? { name: "recent", operators: recent.flatMap((name) => fitting.find((one) => one.name === name) ?? []) }
      : { name: "likely next", operators: listLikely(fitting, rules.operators.get(after)) };
  const best = search === "" ? (first.operators[0] ?? choices[0]) : choices[0];
  const choose = (operator: Operator) => {
    const { document, edit } = store.getState();
    const addition = add(operator.name, document, rules);
    edit(addition.edit);
    noteRecent(operator.name);
    close();
    enterNode(addition.id, editing);
  };
  return (
    <SearchPanel
      className="node-picker"
      style={{ left: place.x, top: place.y }}
      label="Add a node"
      inputLabel="Add a node"
      search={search}
      change={setSearch}
      enter={() => {
        if (best !== undefined) choose(best);
      }}
      close={close}
    >
      <OperatorList operators={choices} isGrouped={search === ""} first={first} choose={choose} />
    </SearchPanel>
  );
}
