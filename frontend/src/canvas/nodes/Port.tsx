import { Handle, Position } from "@xyflow/react";
import { useDrag } from "../edges/legal";
import type { ShapePort } from "../../editor/layout/shape";

interface Props {
  readonly node: string;
  readonly port: ShapePort;
  readonly side: Position.Left | Position.Right;
  readonly isConnectable: boolean;
}

/** Begin and end of edges. During a drag, ports at which the edge cannot end are dimmed. */
export function Port({ node, port, side, isConnectable }: Props) {
  const isInput = side === Position.Left;
  const isRefused = useDrag(({ legal }) => isInput && legal !== null && !legal.has(`${node}.${port.name}`));
  const word = `${isInput ? "Input" : "Output"} ${port.name} of ${node}`;
  const { isLost, isMany, isOwn } = port;
  const kinds = ["port", isRefused && "is-refused", isLost && "is-lost", isMany && "many", isOwn && "own"];
  return (
    <Handle
      id={port.name}
      type={isInput ? "target" : "source"}
      position={side}
      isConnectable={isConnectable && !isLost}
      style={{ top: `${port.at * 100}%` }}
      className={kinds.filter(Boolean).join(" ")}
      aria-label={isLost ? `${word}, which no longer exists` : word}
      role="img"
    >
      {port.isNamed && (
        <span className={isInput ? "port-name at-left" : "port-name at-right"} title={port.name}>
          {port.name === "" ? "…" : port.name}
        </span>
      )}
    </Handle>
  );
}
