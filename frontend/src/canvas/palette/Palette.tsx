import { useReactFlow } from "@xyflow/react";
import { useState } from "react";
import type { Operator } from "../../api/types";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { choose } from "../../editor/edits/choosing";
import { useEditing } from "../../editor/interface/useEditor";
import { Search } from "../../ui/controls/Search";
import { enterNode } from "../flow/focus";
import { measureCanvas } from "../flow/room";
import { OperatorList } from "./OperatorList";
import { findOperators } from "./search";
import "./Palette.css";

/** Every operator by family: drag one onto the canvas, or press it to add it after or into the selection. */
export function Palette() {
  const editing = useEditing();
  const { isReadOnly } = useShownGraph();
  const [search, setSearch] = useState("");
  const flow = useReactFlow();
  const operators = findOperators(editing.catalogue.operators, search);
  const add = ({ name }: Operator) => enterNode(choose(name, editing, findCentre(flow)), editing);
  const addFirst = () => {
    const [first] = operators;
    if (search.trim() === "" || first === undefined) return;
    add(first);
    setSearch("");
  };
  return (
    <aside className="palette" aria-label="Palette" inert={isReadOnly}>
      <Search label="Search operators" value={search} change={setSearch} enter={addFirst} />
      <OperatorList operators={operators} isGrouped={search === ""} choose={add} />
    </aside>
  );
}

/** The middle of the visible canvas. */
function findCentre(flow: ReturnType<typeof useReactFlow>) {
  const box = measureCanvas();
  return flow.screenToFlowPosition({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
}
