import type { Examples, Message } from "../../api/types";
import { useFit } from "../flow/useFit";
import { useSides } from "../../editor/interface/sides";
import { useDocumentActions, useEditing, useInterfaceActions } from "../../editor/interface/useEditor";
import { Prose } from "../../ui/messages/Prose";
import { focusNode } from "../flow/focus";
import { makeReadProposal, type Proposal, type TopicExamples } from "./proposals";
import { formatMoment } from "../../ui/text/format";
import { TableHead } from "../../ui/display/TableHead";

interface Props {
  readonly examples: Examples & TopicExamples;
  readonly proposals: readonly Proposal[];
}

/** The contents of a topic, and first steps with it: one press draws one. */
export function FirstSteps({ examples, proposals }: Props) {
  const { edit } = useDocumentActions();
  const { operators } = useEditing().rules;
  const { fit } = useFit();
  const { select } = useInterfaceActions();
  const draw = (proposal: Proposal) => {
    edit(proposal.edit);
    select([proposal.end]);
    requestAnimationFrame(fit); // after the nodes are drawn
    fitOnceCovered(fit);
    focusNode(proposal.end);
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

/** The inspector opens for the new selection: what it would cover comes back into view. */
function fitOnceCovered(fit: () => void): void {
  const stop = useSides.subscribe(() => {
    stop();
    window.setTimeout(fit, FOLLOWED_MS);
  });
  window.setTimeout(stop, OPENED_MS);
}

/** The view follows the selection first. */
const FOLLOWED_MS = 50;
const OPENED_MS = 1_000;

/** The newest records of a topic, one line each. */
export function Newest({ topic, messages }: { readonly topic: string; readonly messages: readonly Message[] }) {
  if (messages.length === 0) return <p className="quiet">{topic} holds no record yet.</p>;
  return (
    <table className="newest">
      <caption className="for-screen-readers">The newest records of {topic}</caption>
      <TableHead words={["Key", "Value"]} />
      <tbody>
        {messages.map(({ partition, offset, timestamp, key, value }) => (
          <tr
            key={`${partition} ${offset}`}
            title={`Partition ${partition}, offset ${offset}, ${formatMoment(timestamp)}`}
          >
            <td>{key ?? <i>null</i>}</td>
            <td>{value ?? <i>null</i>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
