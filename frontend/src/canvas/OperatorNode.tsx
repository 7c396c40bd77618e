import { Position, type NodeProps } from "@xyflow/react";
import { memo, use } from "react";
import { useEditing } from "../editor/useEditor";
import { familyClass } from "../graph/families";
import { OperatorIcon } from "../parts/OperatorIcon";
import { DistanceContext } from "./Distance";
import type { FlowNode } from "./flow";
import { Marks } from "./Marks";
import { NodeNumbers } from "./NodeNumbers";
import { Port } from "./Port";
import { summary } from "./summary";
import "./OperatorNode.css";

/** Any node: what it is called, what it does, what is wrong with it, and while it runs its numbers. */
export const OperatorNode = memo(function OperatorNode(props: NodeProps<FlowNode>) {
  const { data, selected, isConnectable } = props;
  const { node } = data;
  const operator = useEditing().rules.operators.get(node.operator);
  const inputs = operator?.inputs ?? [];
  const isVeryFar = use(DistanceContext) === "very far";
  const names = ["operator-node", familyClass(operator?.family), selected ? "selected" : ""].filter(Boolean).join(" ");
  if (isVeryFar) {
    return (
      <div className={names}>
        <strong>{node.id}</strong>
        <NodeNumbers node={node} source={inputs.length === 0} brief />
      </div>
    );
  }
  return (
    <div className={names}>
      <header>
        <OperatorIcon name={operator?.icon ?? "circle-help"} />
        <strong title={node.id}>{node.id}</strong>
        <Marks id={node.id} />
      </header>
      <p className="does" title={summary(node)}>
        <span className="operator">{node.operator}</span> {summary(node)}
      </p>
      <NodeNumbers node={node} source={inputs.length === 0} />
      {inputs.map(({ name }, index) => (
        <Port
          key={name}
          node={node.id}
          port={name}
          side={Position.Left}
          at={(index + 1) / (inputs.length + 1)}
          isConnectable={isConnectable}
          named={inputs.length > 1}
        />
      ))}
      {operator?.outputs.map(({ name }, index, { length }) => (
        <Port
          key={name}
          node={node.id}
          port={name}
          side={Position.Right}
          at={(index + 1) / (length + 1)}
          isConnectable={isConnectable}
          named={length > 1}
        />
      ))}
    </div>
  );
});
