import type { Graph, GraphNode, Operator } from "../api/types";
import { useDeployment } from "../editor/interface/useDeployment";
import { nameVersion } from "../editor/comparing/comparing";
import { findNodeKind } from "../editor/graph/kinds";
import { useDocument, useEditing, useInterface } from "../editor/interface/useEditor";
import { Fields } from "./Comparison";
import { ConfigForm } from "./config/ConfigForm";
import { SettingsText } from "./config/SettingsText";
import { BeneathPart } from "./facts/BeneathPart";
import { FlowsPart } from "./facts/FlowsPart";
import { NumbersPart } from "./facts/NumbersPart";
import { SizePart } from "./facts/SizePart";
import { WhyPart } from "./facts/WhyPart";
import { ColourChoice } from "./ColourChoice";
import { CommentsPart } from "./CommentsPart";
import { NodeHead } from "./NodeHead";
import { EdgesPart } from "./EdgesPart";
import { usesField } from "./form/fields";
import { UnfedPart } from "./UnfedPart";

interface Props {
  readonly node: GraphNode;
  /** A number that stays if the node gets another name: what is open or half written stays, too. */
  readonly selection: number;
  readonly operator: Operator | undefined;
  readonly graph: Graph;
  readonly isReadOnly: boolean;
}

/** One node: its operator, its settings, its numbers and its types. */
export function NodeInspector({ node, selection, operator, graph, isReadOnly }: Props) {
  const { cluster } = useDeployment();
  const whyReadOnly = useDocument((editor) => editor.whyReadOnly);
  const versionView = useInterface((editor) => editor.versionView);
  const difference = versionView?.differences?.changed.find((change) => change.node === node.id);
  const kind = findNodeKind(node, graph, useEditing().rules.operators);
  const settings = versionView === null ? "Deployed settings" : `Settings of ${nameVersion(versionView.after)}`;
  return (
    <>
      <NodeHead node={node} selection={selection} operator={operator} kind={kind} isReadOnly={isReadOnly} />
      {isReadOnly && <p className="read-only">{whyReadOnly ?? `${settings}. Switch to the draft to change them.`}</p>}
      {difference !== undefined && (
        <section className="part" aria-label="Before and after">
          <h3>Before and after</h3>
          <Fields fields={difference.fields} />
        </section>
      )}
      <NumbersPart node={node} graph={graph} operator={operator} />
      {operator !== undefined && <WhyPart key={`why ${selection}`} node={node.id} />}
      {operator === undefined ? (
        <p className="part lead">This version of Streamwright has no operator {node.operator}. Remove the node.</p>
      ) : (
        <div className="part">
          {isReadOnly ? (
            <SettingsText node={node} operator={operator} />
          ) : (
            <>
              <UnfedPart id={node.id} graph={graph} />
              {usesField(operator.form, node.config, "size_ms") && <SizePart node={node} graph={graph} />}
              <ConfigForm key={selection} node={node} operator={operator} cluster={cluster} />
            </>
          )}
        </div>
      )}
      {!isReadOnly && operator !== undefined && <BeneathPart id={node.id} graph={graph} operator={operator} />}
      {!isReadOnly && operator !== undefined && operator.inputs.length > 0 && (
        <EdgesPart key={`edges ${selection}`} id={node.id} graph={graph} />
      )}
      {versionView === null && <CommentsPart node={node.id} />}
      <FlowsPart id={node.id} graph={graph} isReadOnly={isReadOnly} />
      {!isReadOnly && (
        <div className="part in-colour">
          <h3>Colour</h3>
          <ColourChoice ids={new Set([node.id])} colour={node.colour ?? null} />
        </div>
      )}
    </>
  );
}
