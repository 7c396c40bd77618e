/** Takes a source's schemas from the schema registry of its cluster. */
import type { Examples, FormatName, RecordSchema, TopicSchema } from "../../api/types";
import { configure, findNode, type Config, type Edit } from "../../editor/document/document";

type Side = TopicSchema["side"];
const SIDES: readonly Side[] = ["key", "value"];

/** The schemas of one side that a source can read, all at once: several record types become a union. */
export interface Offer {
  readonly side: Side;
  readonly schemas: readonly TopicSchema[];
}

export function listOffers(schemas: readonly TopicSchema[]): Offer[] {
  return SIDES.map((side) => ({ side, schemas: pickNewest(schemas.filter((each) => each.side === side)) })).filter(
    (offer) => offer.schemas.length > 0,
  );
}

/** Whether the bytes of a side say nothing of its fields, as those of Avro and Protobuf. */
export function isUnread({ inferred, messages }: Pick<Examples, "inferred" | "messages">, side: Side): boolean {
  return messages.length > 0 && inferred[side].type.kind === "bytes";
}

/** The offers for sides that cannot be read otherwise, if the newest records name their schemas. */
export function findOffers(
  examples: Pick<Examples, "inferred" | "messages">,
  schemas: readonly TopicSchema[],
): readonly Offer[] {
  return listOffers(schemas.filter(({ records }) => records > 0)).filter(
    (offer) => isUnread(examples, offer.side) && canTake(offer),
  );
}

/** What a source gives once it reads the offers. */
export function readShape(inferred: RecordSchema, offers: readonly Offer[]): RecordSchema {
  const sides = offers.flatMap(({ side, schemas: [schema, ...others] }) => {
    const format = schema === undefined ? undefined : FORMATS[schema.kind];
    const isKnown = schema?.type != null && format !== undefined && others.length === 0;
    return isKnown ? [[side, { format, type: schema.type }] as const] : [];
  });
  return { ...inferred, ...Object.fromEntries(sides) };
}

/** Of several versions of a record type the newest, whose readers understand the others. */
function pickNewest(schemas: readonly TopicSchema[]): TopicSchema[] {
  const bySubject = new Map<string, TopicSchema>();
  for (const schema of schemas) {
    const key = schema.subject === "" ? `id ${schema.id}` : schema.subject;
    const other = bySubject.get(key);
    if (other === undefined || other.version < schema.version) bySubject.set(key, schema);
  }
  return [...bySubject.values()];
}

const FORMATS: Partial<Record<TopicSchema["kind"], FormatName>> = {
  AVRO: "avro",
  PROTOBUF: "protobuf",
  JSON: "json_schema",
};

/** Whether the source can read what is offered: one schema of a known kind, or several that become a union. */
export function canTake({ schemas }: Offer): boolean {
  const [first] = schemas;
  if (first === undefined || schemas.length === 1) return first !== undefined && FORMATS[first.kind] !== undefined;
  if (schemas.some(({ kind }) => kind !== first.kind)) return false;
  if (first.kind === "PROTOBUF") return uniteFiles(schemas) !== null;
  return first.kind === "AVRO" || uniteDocuments(schemas) !== null;
}

/** The schema text of an offer. */
export function writeSchema(offer: Offer): string {
  const { schemas } = offer;
  const [first, ...others] = schemas;
  if (first === undefined || others.length === 0) return first?.text ?? "";
  if (first.kind === "PROTOBUF") return uniteFiles(schemas) ?? "";
  if (first.kind === "JSON") return JSON.stringify(uniteDocuments(schemas), null, 2);
  return `[${schemas.map(({ text }) => text).join(", ")}]`;
}

const FILE = /^\/\/[ \t]*file:[ \t]*(\S+)[ \t]*$/mu;

/**
 * One text for several schemas of Protobuf: the files of the first, then those of the others. Null if they have
 * different files under one path, or if the messages are not known.
 */
function uniteFiles(schemas: readonly TopicSchema[]): string | null {
  const files = new Map<string, string>();
  for (const { text, subject, id, messages } of schemas) {
    const [main = "", ...others] = text.split(FILE);
    const own: [string, string][] = [[files.size === 0 ? "" : `${subject === "" ? String(id) : subject}.proto`, main]];
    for (let at = 0; at + 1 < others.length; at += 2) own.push([others[at] ?? "", others[at + 1] ?? ""]);
    for (const [path, content] of own.filter(([, each]) => each.trim() !== "")) {
      if (messages.length === 0 || (files.get(path) ?? content.trim()) !== content.trim()) return null;
      files.set(path, content.trim());
    }
  }
  return [...files].map(([path, content]) => (path === "" ? content : `// file: ${path}\n${content}`)).join("\n");
}

/** The setting for the messages of Protobuf that the records hold. */
function nameMessages({ side, schemas }: Offer): Config {
  const messages = [...new Set(schemas.flatMap((each) => each.messages))];
  return messages.length === 0 ? {} : { [`${side}_message`]: messages.join(", ") };
}

interface SchemaDocument {
  readonly $id?: string;
  readonly $schema?: string;
  readonly title?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Nothing of a text that is not JSON: Avro may have comments. */
function readDocument(text: string): SchemaDocument {
  try {
    return (JSON.parse(text) as SchemaDocument | null) ?? {};
  } catch {
    return {};
  }
}

/**
 * One JSON Schema for several record types. Each is a definition with an address of its own, so that its references
 * stay inside it, and has its title as name. Null if they lack titles or differ in the version of JSON Schema.
 */
function uniteDocuments(schemas: readonly TopicSchema[]): unknown {
  const documents = schemas.map(({ text }) => readDocument(text));
  const names = documents.flatMap(({ title }) => title ?? []);
  const dialects = new Set(documents.map(({ $schema }) => $schema));
  if (new Set(names).size < documents.length || dialects.size > 1) return null;
  const definitions = Object.fromEntries(
    documents.map(({ $schema: _, ...each }): [string, SchemaDocument] => [
      each.title ?? "",
      { $id: `${ADDRESS}${encodeURIComponent(each.title ?? "")}`, ...each },
    ]),
  );
  const [dialect] = dialects;
  return {
    ...(dialect === undefined ? {} : { $schema: dialect }),
    anyOf: names.map((name) => ({ $ref: `#/definitions/${escapePointer(name)}` })),
    definitions,
  };
}

/** Where a schema without an address of its own is inside a union. */
const ADDRESS = "http://schema.local/";

const escapePointer = (name: string) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));

/** Whether the node reads what is offered already. */
export function isTaken(config: Config, offer: Offer): boolean {
  const { [`${offer.side}_message`]: messages } = nameMessages(offer);
  const before = config[`${offer.side}_message`] ?? offer.schemas[0]?.messages[0];
  const isOfMessages = messages === undefined || before === messages;
  return isOfMessages && config[`${offer.side}_schema`] === writeSchema(offer) && config.schema_registry === true;
}

/** The node reads what is offered. Fields that describe the side in another way go. */
export const takeOffer =
  (id: string, offer: Offer): Edit =>
  (document) => {
    const { side, schemas } = offer;
    const before = findNode(document, id)?.config ?? {};
    const gone = new Set([`${side}_type`, `${side}_message`, `${side}_writer_schemas`, `${side}_schema_id`]);
    const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !gone.has(name)));
    const number = schemas.length === 1 ? { [`${side}_schema_id`]: schemas[0]?.id } : {};
    return configure(id, {
      ...kept,
      [`${side}_format`]: FORMATS[schemas[0]?.kind ?? "AVRO"],
      [`${side}_schema`]: writeSchema(offer),
      ...number,
      ...nameMessages(offer),
      ...nameStrategy(offer, before),
      avro_header: "confluent",
      schema_registry: true,
    })(document);
  };

/**
 * A source of another topic: takes what the registry offers for sides that nobody has described, and drops what it took
 * for the topic before.
 */
export const followOffers =
  (id: string, topic: string, offers: readonly Offer[]): Edit =>
  (document) => {
    const before = findNode(document, id)?.config ?? {};
    if (before.topic !== topic) return document;
    const sides = SIDES.filter((side) => before[`${side}_schema_id`] !== undefined && before.schema_registry === true);
    const dropped = new Set([
      ...sides.flatMap((side) => ["format", "schema", "schema_id", "message"].map((word) => `${side}_${word}`)),
      ...(sides.length > 0 ? ["schema_registry", "avro_header"] : []),
    ]);
    const config = Object.fromEntries(Object.entries(before).filter(([name]) => !dropped.has(name)));
    const isOpen = ({ side }: Offer) =>
      ["schema", "format", "type"].every((word) => config[`${side}_${word}`] === undefined);
    const start = dropped.size === 0 ? document : configure(id, config)(document);
    return offers.filter(isOpen).reduce((now, offer) => takeOffer(id, offer)(now), start);
  };

/** The strategy that names the subjects of the offer, if it is not that of topics: then others know who reads them. */
function nameStrategy(offer: Offer, { topic, subject_strategy: before }: Config): Config {
  const names = offer.schemas.flatMap((each) => nameType(each) ?? []);
  if (before === "by_hand" || names.length < offer.schemas.length) return {};
  const isNamed = (name: (type: string) => string) =>
    offer.schemas.every(({ subject }, index) => subject === name(names[index] ?? ""));
  if (isNamed((type) => type)) return { subject_strategy: "record" };
  return isNamed((type) => `${String(topic)}-${type}`) ? { subject_strategy: "topic_record" } : {};
}

/** Whether the sink writes with what is offered already. */
export function isWritten(config: Config, offer: Offer): boolean {
  const { schema_registry: registration } = config;
  return config[`${offer.side}_schema`] === writeSchema(offer) && registration !== undefined && registration !== "none";
}

/** The sink writes with the newest schema of the subject. The deploy compares it with the records. */
export const writeWithOffer =
  (id: string, offer: Offer): Edit =>
  (document) => {
    const { side, schemas } = offer;
    const before = findNode(document, id)?.config ?? {};
    const { schema_registry: registration } = before;
    return configure(id, {
      ...before,
      [`${side}_format`]: FORMATS[schemas[0]?.kind ?? "AVRO"],
      [`${side}_schema`]: writeSchema(offer),
      schema_registry: registration === undefined || registration === "none" ? "latest" : registration,
    })(document);
  };

/** The record types of a union: full names in Avro and Protobuf, titles in JSON Schema. Empty for one type. */
export function listRecordTypes(offer: Offer): readonly string[] {
  const messages = [...new Set(offer.schemas.flatMap((each) => each.messages))];
  if (messages.length > 1) return messages;
  if (offer.schemas.length < 2) return [];
  return offer.schemas.flatMap((each) => nameType(each) ?? []);
}

/** The full name of a schema's type in Avro and Protobuf, its title in JSON Schema. */
function nameType({ kind, text, messages }: TopicSchema): string | undefined {
  if (kind === "PROTOBUF") return messages[0];
  const { title, name, namespace } = readDocument(text);
  if (kind === "JSON") return title;
  return name === undefined || namespace === undefined || name.includes(".") ? name : `${namespace}.${name}`;
}

/** Rows of a split: one branch for each type, named after the last part of the type. */
export function makeBranches(types: readonly string[]): readonly { readonly name: string; readonly type: string }[] {
  const names = new Set(["default"]);
  return types.map((type) => {
    const base = type.slice(type.lastIndexOf(".") + 1).toLowerCase();
    let name = base;
    for (let number = 2; names.has(name); number += 1) name = `${base}_${number}`;
    names.add(name);
    return { name, type };
  });
}

/** "`orders-value` version 3, id 7.", of each schema. */
export function describeOffer({ schemas }: Offer): string {
  return schemas
    .map(({ subject, version, id }) => (subject === "" ? `id ${id}` : `\`${subject}\` version ${version}, id ${id}`))
    .join("; ")
    .concat(".");
}

/** What newer versions change, one sentence each. */
export function describeNewer({ schemas }: Offer): string[] {
  return schemas
    .filter(({ version, newest }) => newest > version)
    .map(({ subject, newest, changes }) => {
      const what = changes.length === 0 ? "" : ` It ${changes.join(", ")}.`;
      return `\`${subject}\` has a newer version ${newest}.${what}`;
    });
}
