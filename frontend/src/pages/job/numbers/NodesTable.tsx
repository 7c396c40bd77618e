import type { GraphNode } from "../../../api/types";
import { findTopics } from "../../../editor/graph/topics";
import type { NodeNumbers } from "../../../live/state";
import { formatCount, formatRate } from "../../../ui/text/format";
import { FiringMark } from "../../../ui/display/FiringMark";
import { TableHead } from "../../../ui/display/TableHead";
import { chooseFigureClass, chooseTroubleClass } from "./figures";

interface Props {
  readonly job: number;
  readonly nodes: readonly GraphNode[];
  readonly numbers: Readonly<Record<string, NodeNumbers>>;
}

/** The input and output of each node since the run began, in the order of the graph. */
export function NodesTable({ job, nodes, numbers }: Props) {
  return (
    <div className="table-scroll">
      <table>
        <TableHead
          words={["Node", "Operator", "Rate /s", "In", "Out", "Dropped", "Errors"]}
          figures={["Rate /s", "In", "Out", "Dropped", "Errors"]}
        />
        <tbody>
          {nodes.map((node) => (
            <NodeRow key={node.id} job={job} node={node} numbers={numbers[node.id]} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly job: number;
  readonly node: GraphNode;
  readonly numbers: NodeNumbers | undefined;
}

function NodeRow({ job, node, numbers }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {node.id} <FiringMark job={job} parts={[node.id, ...findTopics(node)]} />
      </th>
      <td className="quiet">
        <code>{node.operator}</code>
      </td>
      <td className={chooseFigureClass(numbers?.rate)}>{formatRate(numbers?.rate)}</td>
      <td className={chooseFigureClass(numbers?.in)}>{formatCount(numbers?.in)}</td>
      <td className={chooseFigureClass(numbers?.out)}>{formatCount(numbers?.out)}</td>
      <td className={chooseFigureClass(numbers?.dropped)}>{formatCount(numbers?.dropped)}</td>
      <td className={chooseTroubleClass(numbers?.errors)}>{formatCount(numbers?.errors)}</td>
    </tr>
  );
}
