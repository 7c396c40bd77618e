import type { Examples } from "../../api/types";
import { useFit } from "../../editor/graph/useFit";
import { useDocumentActions, useEditing } from "../../editor/interface/useEditor";
import { Prose } from "../../ui/messages/Prose";
import { Newest } from "./Newest";
import { makeReadProposal, type Proposal } from "./proposals";

interface Props {
  readonly examples: Examples;
  readonly proposals: readonly Proposal[];
}

/** The contents of a topic, and first steps with it: one press draws one. */
export function FirstSteps({ examples, proposals }: Props) {
  const { edit } = useDocumentActions();
  const { operators } = useEditing().rules;
  const fit = useFit();
  const draw = (proposal: Proposal) => {
    edit(proposal.edit);
    requestAnimationFrame(fit); // after the nodes are drawn
  };
  return (
    <>
      <h3>
        The newest records of <code>{examples.topic.name}</code>
      </h3>
      <Newest topic={examples.topic.name} messages={examples.messages} />
      <h3>What should happen with them?</h3>
      <ul className="steps" aria-label="First steps">
        {[...proposals, makeReadProposal(examples, operators)].map((proposal) => (
          <li key={proposal.title}>
            <button type="button" onClick={() => draw(proposal)}>
              <strong>
                <Prose text={proposal.title} />
              </strong>
              <small>{proposal.path}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
