import { useEffect, useRef } from "react";
import { listTopics } from "../../api/calls";
import type { Doubt } from "../../api/types";
import { rename } from "../../editor/document/document";
import { findTopicName } from "../../editor/document/naming";
import { findTopicFormats, isBinaryNumber } from "../../editor/graph/topicFormats";
import { useDocument, useDocumentActions, useEditing } from "../../editor/interface/useEditor";
import { Prose } from "../../ui/messages/Prose";
import { FieldFrame } from "../form/FieldFrame";
import type { Field } from "../form/fields";
import { useForm, useIssuesAt } from "../form/FormContext";
import { readText } from "../form/paths";
import { canLearn, chooseTopic, learnFrom, tellsMore } from "./learning";
import { describeDoubt } from "./doubts";
import { NewTopic } from "./NewTopic";
import { ExampleRecords } from "./ExampleRecords";
import { askExamples, askOffers } from "./examples";
import { listReaders, listWriters } from "./writers";
import { followOffers } from "./registry";
import { RegistryOffers } from "./RegistryOffers";
import { TopicBox } from "./TopicBox";
import "./TopicField.css";

/** A topic of the cluster or a new name, with the topic's newest records below. */
export function TopicField({ field }: { readonly field: Field }) {
  const { node, isSource, topic } = useForm();
  const { store } = useEditing();
  const { edit, setTyping } = useDocumentActions();
  const issues = useIssuesAt(field.name);
  const name = readText(node.config.topic);
  const isName = name !== "" && !issues.some(({ code }) => code === "field.invalid" || code === "topic.name");

  /** The inferred schema belongs to the same step of undo as the choice of the topic. */
  const burst = `config ${node.id}.topic`;
  const id = useRef(node.id);
  const before = useRef(name);
  const change = (name: string) => {
    edit(chooseTopic(node.id, name === "" ? undefined : name), burst);
    if (isSource) learn(name).catch(keepQuiet);
  };
  /** Also for a name typed before the list of topics arrived, and if the selection changes meanwhile. */
  const learn = async (name: string) => {
    const topicList = topic.topics ?? (await listTopics(topic.cluster));
    if (!topicList.some((other) => other.name === name)) return;
    const examples = await askExamples(topic.cluster, name);
    edit(learnFrom(id.current, examples), burst);
    if (examples.messages.length === 0) return;
    const offers = await askOffers(topic.cluster, examples);
    edit(followOffers(id.current, name, offers), burst);
  };
  /** A source that its user has not named takes the topic's name. */
  const finish = () => {
    setTyping(null);
    const { nodes } = store.getState().document.graph;
    const renamed = nodes.find((one) => one.id === id.current);
    const to = renamed === undefined || !isSource ? null : findTopicName(renamed, before.current, nodes);
    if (to === null) return;
    before.current = readText(renamed?.config.topic);
    edit(rename(id.current, to), burst);
    id.current = to;
  };
  // another user may rename the node meanwhile
  useEffect(() => {
    id.current = node.id;
  }, [node.id]);
  useEffect(() => () => setTyping(null), [setTyping]);
  const aside = topic.match && <span className="quiet number">{formatPartitions(topic.match.partitions)}</span>;
  return (
    <FieldFrame field={field} path={field.name} issues={issues} aside={aside}>
      {(aria) => (
        <div className="topic-field">
          <TopicBox
            name={name}
            topics={topic.topics ?? []}
            change={change}
            begin={() => setTyping(node.id)}
            finish={finish}
            aria={aria}
          />
          {isName && topic.topics !== null && topic.match === undefined && <Absent name={name} />}
          {topic.match !== undefined && <ExampleRecords look={topic} />}
          {!isSource && <WritesNumbers />}
          {!isSource && <AlsoWrites name={name} />}
          {!isSource && <ReadBack name={name} />}
          {isSource && <Learn />}
          {topic.match !== undefined && <RegistryOffers name={name} />}
          {isSource && topic.examples !== null && <Doubts doubts={topic.examples.doubts} />}
        </div>
      )}
    </FieldFrame>
  );
}

/** The cluster does not have the topic: fine for a sink that creates it, an issue otherwise. */
function Absent({ name }: { readonly name: string }) {
  const { node, operator, isSource, topic } = useForm();
  const create = <NewTopic name={name} cluster={topic.cluster} operator={operator} onCreate={topic.lookAgain} />;
  if (!isSource && node.config.create_if_missing !== false) {
    return (
      <>
        <p className="absent">
          <code>{name}</code> does not exist. Deploying creates it.
        </p>
        {create}
      </>
    );
  }
  return create;
}

/** A count is written in eight bytes, as in Kafka Streams. One click writes text instead. */
function WritesNumbers() {
  const { node, change } = useForm();
  const flows = useDocument(({ checkResult }) => checkResult?.nodes[node.id]);
  const { value } = findTopicFormats(node, flows);
  if (!isBinaryNumber(value)) return null;
  return (
    <p className="absent">
      Each value is written as the bytes of a {value}, which few other programs show.{" "}
      <button type="button" className="small-button" onClick={() => change("value_format", "json")}>
        Write as JSON
      </button>
    </p>
  );
}

/** Several sinks may share a topic, but only on purpose. */
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

/** Output comes in again through a path that the canvas does not draw. That should be on purpose, too. */
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

/** The examples differ from the node's schema: one click takes over the difference. */
function Learn() {
  const { node, topic } = useForm();
  const { edit } = useDocumentActions();
  const document = useDocument((editor) => editor.document);
  const gives = useDocument(({ checkResult }) => checkResult?.nodes[node.id]?.outputs);
  const { examples } = topic;
  if (examples === null || !canLearn(document, node.id, examples)) return null;
  if (examples.has_registry && examples.inferred.value.type.kind === "bytes") return null; // RegistryOffers knows more
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

/** Fields with conflicting samples: a malformed record must not choose a type unseen. */
function Doubts({ doubts }: { readonly doubts: readonly Doubt[] }) {
  return doubts.map((doubt) => (
    <p key={`${doubt.side}.${doubt.path}`} className="absent missing">
      <Prose text={describeDoubt(doubt)} />
    </p>
  ));
}

function formatPartitions(amount: number): string {
  return amount === 1 ? "1 partition" : `${amount} partitions`;
}

/** The user can pick a topic that cannot be sampled. The field shows why. */
function keepQuiet(): void {}
