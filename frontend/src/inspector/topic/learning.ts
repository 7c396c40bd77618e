/** Infers the schema of a source from example records. */
import type { Examples, RecordSchema } from "../../api/types";
import { configure, findNode, learn, type Config, type Document, type Edit } from "../../editor/document/document";
import { withValue } from "../form/paths";

/** A new topic: forgets the schema of the old one. */
export const chooseTopic =
  (id: string, topic: string | undefined): Edit =>
  (document) => {
    const config = findNode(document, id)?.config ?? {};
    if (config.topic === topic) return document;
    return learn(id, undefined)(configure(id, withValue(config, "topic", topic))(document));
  };

/** The examples' schema, unless the node reads another topic now or there is nothing to learn. */
export const learnFrom =
  (id: string, examples: Examples): Edit =>
  (document) =>
    canLearn(document, id, examples) ? learn(id, examples.inferred)(document) : document;

/** Whether the examples add something to a source's declared schema and differ from the learned one. */
export function canLearn(document: Document, id: string, { topic, messages, inferred }: Examples): boolean {
  const config = findNode(document, id)?.config;
  if (config?.topic !== topic.name || messages.length === 0) return false;
  const isDeclared = config.key_type !== undefined && config.value_type !== undefined;
  return !isDeclared && JSON.stringify(document.schemas[id]) !== JSON.stringify(inferred);
}

/** Whether the examples differ from the node's present schema on a side that the config leaves open. */
export function tellsMore(config: Config, now: RecordSchema, { inferred }: Examples): boolean {
  return (["key", "value"] as const).some((side) => {
    const [type, format] = [config[`${side}_type`], config[`${side}_format`]];
    const isOpen = type === undefined && (format === undefined || format === inferred[side].format);
    return isOpen && JSON.stringify(now[side].type) !== JSON.stringify(inferred[side].type);
  });
}
