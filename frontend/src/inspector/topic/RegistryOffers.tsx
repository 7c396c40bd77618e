import { useCallback } from "react";
import { listTopicSchemas } from "../../api/calls";
import type { TopicSchema } from "../../api/types";
import { useResource } from "../../api/useResource";
import { configure, joinEdits } from "../../editor/document/document";
import { addOperator } from "../../editor/edits/adding";
import { STEP } from "../../editor/layout/places";
import { useDocument, useDocumentActions, useEditing } from "../../editor/interface/useEditor";
import { Prose } from "../../ui/messages/Prose";
import { useForm } from "../form/FormContext";
import {
  canTake,
  describeNewer,
  describeOffer,
  isTaken,
  isWritten,
  listOffers,
  listRecordTypes,
  makeBranches,
  takeOffer,
  writeWithOffer,
  type Offer,
} from "./registry";

const NONE: readonly TopicSchema[] = [];

/** The schemas that the cluster's registry has for a topic. One click takes them over. */
export function RegistryOffers({ name }: { readonly name: string }) {
  const { topic, node } = useForm();
  const { subject_strategy: strategy, key_subject: key, value_subject: value } = node.config;
  const isByHand = strategy === "by_hand";
  const keySubject = isByHand && typeof key === "string" ? key : "";
  const valueSubject = isByHand && typeof value === "string" ? value : "";
  const { cluster, examples } = topic;
  const isWanted = examples?.has_registry === true;
  const { data, refusal } = useResource(
    useCallback(
      async () =>
        isWanted
          ? listTopicSchemas(cluster, name, { key_subject: keySubject, value_subject: valueSubject })
          : NONE,
      [cluster, name, isWanted, keySubject, valueSubject],
    ),
  );
  if (refusal !== null) {
    return (
      <p className="absent missing">
        <Prose text={`${refusal.message} ${refusal.hint}`} />
      </p>
    );
  }
  return listOffers(data ?? NONE).map((offer) => <OneOffer key={offer.side} offer={offer} />);
}

function OneOffer({ offer }: { readonly offer: Offer }) {
  const { node, isSource } = useForm();
  const { edit } = useDocumentActions();
  const isDone = isSource ? isTaken(node.config, offer) : isWritten(node.config, offer);
  const take = isSource ? takeOffer : writeWithOffer;
  const kinds = [...new Set(offer.schemas.map(({ kind }) => kind))].join(", ");
  return (
    <p className="absent">
      Schema of the {offer.side}s: <Prose text={describeOffer(offer)} />
      {describeNewer(offer).map((text) => (
        <span key={text}>
          {" "}
          <Prose text={text} />
        </span>
      ))}{" "}
      {!canTake(offer) &&
        `A source reads one of them, or several of one kind whose types have different names; these are ${kinds}.`}
      {canTake(offer) && isDone && `This ${isSource ? "source reads" : "sink writes with"} it.`}
      {canTake(offer) && !isDone && (
        <button type="button" className="small-button" onClick={() => edit(take(node.id, offer))}>
          Use the registry’s schema
        </button>
      )}
      {isSource && isDone && <SplitByType offer={offer} />}
    </p>
  );
}

/** Adds a split with a branch for each record type of a union, unless the source already leads into a split. */
function SplitByType({ offer }: { readonly offer: Offer }) {
  const { node } = useForm();
  const { rules, store } = useEditing();
  const { edit } = useDocumentActions();
  const types = listRecordTypes(offer);
  const isSplit = useDocument(({ document: { graph } }) =>
    graph.edges.some(
      ({ source, target }) =>
        source === node.id && graph.nodes.some(({ id, operator }) => id === target && operator === "split"),
    ),
  );
  if (types.length === 0 || offer.side === "key" || isSplit) return null;
  const addSplit = () => {
    const { document } = store.getState();
    const at = { x: node.position.x + STEP.x, y: node.position.y };
    const addition = addOperator("split", at, document, rules, [{ source: node.id, port: "result" }]);
    edit(joinEdits(addition.edit, configure(addition.id, { branches: makeBranches(types) })));
  };
  return (
    <>
      {" "}
      <button type="button" className="small-button" onClick={addSplit}>
        Add a branch for each type
      </button>
    </>
  );
}
