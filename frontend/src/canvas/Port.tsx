import { Handle, Position } from "@xyflow/react";
import { useDragged } from "./legal";

interface Props {
  readonly node: string;
  readonly port: string;
  readonly side: Position.Left | Position.Right;
  /** How far down the node's side, 0 to 1. */
  readonly at: number;
  /** Whether its name is shown: where a node has more than one. */
  readonly named: boolean;
  readonly isConnectable: boolean;
}

/** Where wires begin and end. While one is dragged, ports it cannot end in step back. */
export function Port({ node, port, side, at, named, isConnectable }: Props) {
  const input = side === Position.Left;
  const refused = useDragged(({ legal }) => input && legal !== null && !legal.has(`${node}.${port}`));
  const word = `${input ? "Input" : "Output"} ${port} of ${node}`;
  return (
    <Handle
      id={port}
      type={input ? "target" : "source"}
      position={side}
      isConnectable={isConnectable}
      style={{ top: `${at * 100}%` }}
      className={refused ? "port refused" : "port"}
      aria-label={word}
      role="img"
    >
      {named && <span className={input ? "port-name left" : "port-name right"}>{port}</span>}
    </Handle>
  );
}
