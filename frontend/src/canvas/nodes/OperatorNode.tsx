import { Position, useStoreApi, useUpdateNodeInternals, type NodeProps } from "@xyflow/react";
import { memo, use, useEffect, useRef } from "react";
import type { GraphNode } from "../../api/types";
import { useDeployment } from "../../editor/interface/useDeployment";
import { findLook, useFollowing } from "../../editor/interface/following";
import { useLineage } from "../../editor/interface/lineage";
import { useEditing } from "../../editor/interface/useEditor";
import { KINDS, nameKindClass } from "../../editor/graph/kinds";
import { findTopics } from "../../editor/graph/topics";
import { NameField } from "../../inspector/NameField";
import { FiringMark } from "../../ui/display/FiringMark";
import { Sprite } from "../../ui/icons/Sprite";
import { OperatorIcon } from "../../ui/icons/OperatorIcon";
import { DistanceContext } from "../flow/Distance";
import type { FlowNode } from "../flow/flow";
import { focusNode } from "../flow/focus";
import { DifferenceBorder, Marks } from "./Marks";
import { NodeNumbers, NodeRate, NodeState } from "./NodeNumbers";
import { renameInPlace, usePanels } from "../flow/panels";
import { lacksPorts } from "./measured";
import { Port } from "./Port";
import type { Shape } from "../../editor/layout/shape";
import { summarize } from "./summarize";
import "../../ui/style/tints.css";
import "./OperatorNode.css";

/** Firing alerts of the node or its topics, redrawn alone. */
function NodeAlerts({ node }: { readonly node: GraphNode }) {
  const { job } = useDeployment();
  return job !== null && <FiringMark job={job.id} parts={[node.id, ...findTopics(node)]} />;
}

/** Any node: its name, operator and problems, and its numbers during a run. */
export const OperatorNode = memo(function OperatorNode(props: NodeProps<FlowNode>) {
  const { data, selected, isConnectable } = props;
  const { node, shape } = data;
  const operator = useEditing().rules.operators.get(node.operator);
  const isSource = operator?.topic_use === "reads";
  const isVeryFar = use(DistanceContext) === "very far";
  useMeasuring(node.id, shape, !isVeryFar);
  const does = node.bypassed === true ? "Bypassed" : summarize(node, operator);
  const wayLook = useFollowing((following) => findLook(following, node.id));
  const isOnLineage = useLineage(({ way }) => way.has(node.id));
  const states = [
    wayLook || (isOnLineage ? "on-way" : ""),
    selected ? "selected" : "",
    node.bypassed === true ? "is-bypassed" : "",
    node.colour === undefined ? "" : `has-colour tint-${node.colour}`,
  ];
  const names = ["operator-node", nameKindClass(shape.kind), ...states].filter(Boolean).join(" ");
  if (isVeryFar) {
    return (
      <div className={names}>
        <strong>{node.id}</strong>
        <NodeRate id={node.id} />
        <NodeState node={node} />
        <DifferenceBorder id={node.id} />
      </div>
    );
  }
  return (
    <div className={names}>
      <span className="node-icon">
        <OperatorIcon name={operator?.icon} size={20} />
      </span>
      <div className="marks">
        <NodeAlerts node={node} />
        <Marks id={node.id} />
      </div>
      <header>
        <NodeName id={node.id} />
      </header>
      <p className="does" title={`${node.operator} ${does}`}>
        <span className="operator">{node.operator}</span> {does !== "" && <span>{does}</span>}
      </p>
      <div className="foot">
        <NodeNumbers node={node} isSource={isSource} />
        <KindName shape={shape} />
      </div>
      <NodeState node={node} />
      <DifferenceBorder id={node.id} />
      {shape.inputs.map((port) => (
        <Port
          key={port.name}
          node={node.id}
          port={port}
          side={Position.Left}
          isConnectable={isConnectable}
        />
      ))}
      {shape.outputs.map((port) => (
        <Port
          key={port.name}
          node={node.id}
          port={port}
          side={Position.Right}
          isConnectable={isConnectable}
        />
      ))}
    </div>
  );
});

/** The type that the node gives, with the icon of its kind. */
function KindName({ shape: { kind, type } }: { readonly shape: Shape }) {
  if (type === null || !(kind in KINDS)) return null;
  return (
    <span className="kind-name" title={`Gives a ${type}`}>
      <Sprite className="kind-icon" icon={KINDS[kind as keyof typeof KINDS].icon} size={11} />
      <span>{type}</span>
    </span>
  );
}

/** A node's name, or the field that changes it. */
function NodeName({ id }: { readonly id: string }) {
  const isRenamed = usePanels(({ renaming }) => renaming === id);
  if (!isRenamed) return <strong title={id}>{id}</strong>;
  const finish = (name: string) => {
    renameInPlace(null);
    focusNode(name);
  };
  return (
    <div className="renaming nodrag nopan">
      <NameField id={id} onFinish={finish} />
    </div>
  );
}

/**
 * React Flow measures ports when a node's size changes, not when ports appear, disappear or change names. A node that
 * was first drawn very far, without ports, has none to it until they are measured again, and its edges are not drawn.
 */
function useMeasuring(id: string, shape: Shape, isDrawn: boolean): void {
  const measure = useUpdateNodeInternals();
  const api = useStoreApi();
  const lastShape = useRef(shape);
  useEffect(() => {
    if (!isDrawn) return;
    const bounds = api.getState().nodeLookup.get(id)?.internals.handleBounds;
    if (lastShape.current === shape && !lacksPorts(bounds, shape)) return;
    lastShape.current = shape;
    measure(id);
  }, [id, shape, isDrawn, measure, api]);
}
