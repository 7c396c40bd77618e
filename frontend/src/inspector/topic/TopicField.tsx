import { listTopics } from "../../api/calls";
import type { Doubt, Examples, Operator } from "../../api/types";
import { useDocument, useDocumentActions, useEditing } from "../../editor/interface/useEditor";
import { Prose } from "../../parts/messages/Prose";
import { FieldFrame } from "../form/FieldFrame";
import type { Field } from "../form/fields";
import { useForm, useIssuesAt } from "../form/FormContext";
import { readText } from "../form/paths";
import { canLearn, chooseTopic, learnFrom, tellsMore } from "./learning";
import { describeDoubt, nameDoubtedField } from "./doubts";
import { explainForgetting } from "./explainForgetting";
import { NewTopic } from "./NewTopic";
import { ExampleRecords } from "./ExampleRecords";
import { askExamples } from "./examples";
import { listReaders, listWriters } from "./writers";
import { TopicBox } from "./TopicBox";
import "./TopicField.css";

/** A topic of the cluster, or a new name, and below it what it holds now. */
export function TopicField({ field }: { readonly field: Field }) {
  const { node, operator, isSource, topic } = useForm();
  const { edit } = useDocumentActions();
  const issues = useIssuesAt(field.name);
  const name = readText(node.config.topic);

  /** What is learned of the topic belongs to the same step of undo as choosing it. */
  const burst = `config ${node.id}.topic`;
  const change = (name: string) => {
    edit(chooseTopic(node.id, name === "" ? undefined : name), burst);
    if (isSource) learn(name).catch(keepQuiet);
  };
  /** Also of a name that was typed before the list of topics came, and when another node is selected meanwhile. */
  const learn = async (name: string) => {
    const topicList = topic.topics ?? (await listTopics(topic.cluster));
    if (!topicList.some((other) => other.name === name)) return;
    const examples = await askExamples(topic.cluster, name);
    edit(learnFrom(node.id, examples), burst);
  };
  const aside = topic.match && <span className="quiet number">{formatPartitions(topic.match.partitions)}</span>;
  return (
    <FieldFrame field={field} path={field.name} issues={issues} aside={aside}>
      {(aria) => (
        <div className="topic-field">
          <TopicBox name={name} topics={topic.topics ?? []} change={change} aria={aria} />
          {name !== "" && topic.topics !== null && topic.match === undefined && <Absent name={name} />}
          {topic.match !== undefined && <ExampleRecords look={topic} />}
          {!isSource && <AlsoWrites name={name} />}
          {!isSource && <ReadBack name={name} />}
          {isSource && <Learn />}
          {isSource && topic.examples !== null && <Doubts doubts={topic.examples.doubts} />}
          {topic.examples !== null && <Forgets examples={topic.examples} operator={operator} />}
        </div>
      )}
    </FieldFrame>
  );
}

/** The cluster has no such topic: fine for a sink that creates it, an issue anywhere else. */
function Absent({ name }: { readonly name: string }) {
  const { node, operator, isSource, topic } = useForm();
  const create = <NewTopic name={name} cluster={topic.cluster} operator={operator} onCreate={topic.lookAgain} />;
  if (!isSource && node.config.create_if_missing !== false) {
    return (
      <>
        <p className="absent">
          <code>{name}</code> does not exist yet. Deploying creates it.
        </p>
        {create}
      </>
    );
  }
  return create;
}

/** Several sinks may share a topic; that should be meant. */
function AlsoWrites({ name }: { readonly name: string }) {
  const { node } = useForm();
  const { operators } = useEditing().rules;
  const others = useDocument(({ document }) => listWriters(name, document.graph, operators, node.id).join(", "));
  if (others === "") return null;
  return (
    <p className="absent">
      <code>{others}</code> {others.includes(", ") ? "write" : "writes"} to this topic too.
    </p>
  );
}

/** What is written comes in again, as through a way that the canvas does not draw; that should be meant, too. */
function ReadBack({ name }: { readonly name: string }) {
  const { operators } = useEditing().rules;
  const readers = useDocument(({ document }) => listReaders(name, document.graph, operators).join(", "));
  if (readers === "") return null;
  return (
    <p className="absent">
      <code>{readers}</code> {readers.includes(", ") ? "read" : "reads"} this topic, so records written here
      come back into the topology.
    </p>
  );
}

/** The examples show something else than the node gives: that can be taken over with one click. */
function Learn() {
  const { node, topic } = useForm();
  const { edit } = useDocumentActions();
  const document = useDocument((editor) => editor.document);
  const gives = useDocument(({ checkResult }) => checkResult?.nodes[node.id]?.outputs);
  const { examples } = topic;
  if (examples === null || !canLearn(document, node.id, examples)) return null;
  const now = Object.values(gives ?? {})[0]?.carries ?? null;
  if (now === null || !tellsMore(node.config, now, examples)) return null;
  return (
    <p className="absent">
      {now.value.type.kind === "any" ? "Its fields are not known yet." : "The newest records have other fields."}{" "}
      <button type="button" className="small-button" onClick={() => edit(learnFrom(node.id, examples))}>
        Use the topic’s fields
      </button>
    </p>
  );
}

/** Fields whose sampled values disagree: a malformed record must not choose a type unseen. */
function Doubts({ doubts }: { readonly doubts: readonly Doubt[] }) {
  return doubts.map((doubt) => (
    <p key={`${doubt.side}.${doubt.path}`} className="absent missing">
      <code>{nameDoubtedField(doubt)}</code> <Prose text={describeDoubt(doubt)} />
    </p>
  ));
}

/** A table whose topic forgets rows: that is seen only when its rows are read again. */
function Forgets({ examples, operator }: { readonly examples: Examples; readonly operator: Operator }) {
  const words = explainForgetting(examples, operator);
  if (words === null) return null;
  return (
    <p className="absent missing">
      <Prose text={words} />
    </p>
  );
}

function formatPartitions(amount: number): string {
  return amount === 1 ? "1 partition" : `${amount} partitions`;
}

/** A topic that cannot be sampled is picked anyway; the field shows why. */
function keepQuiet(): void {}
