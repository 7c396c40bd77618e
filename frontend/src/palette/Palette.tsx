import { useReactFlow } from "@xyflow/react";
import { useState } from "react";
import type { Operator } from "../api/types";
import { useShownGraph } from "../editor/useShownGraph";
import { useEditing } from "../editor/useEditor";
import { Search } from "../parts/Search";
import { chosen } from "./choosing";
import { OperatorList } from "./OperatorList";
import { found } from "./search";
import "./Palette.css";

/** Every operator by family: drag one onto the canvas, or press it to set it behind what is selected. */
export function Palette() {
  const editing = useEditing();
  const { readOnly } = useShownGraph();
  const [search, setSearch] = useState("");
  const flow = useReactFlow();
  const operators = found(editing.catalogue.operators, search);
  const choose = (operator: Operator) => chosen(operator.name, editing, centreOf(flow));
  return (
    <aside className="palette" aria-label="Palette" inert={readOnly}>
      <Search label="Search operators" value={search} change={setSearch} />
      <OperatorList operators={operators} grouped={search === ""} choose={choose} />
    </aside>
  );
}

/** The middle of what is seen of the canvas. */
function centreOf(flow: ReturnType<typeof useReactFlow>) {
  const box = document.querySelector(".canvas")?.getBoundingClientRect() ?? new DOMRect();
  return flow.screenToFlowPosition({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
}
