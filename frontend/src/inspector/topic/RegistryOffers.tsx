import { useCallback } from "react";
import { listTopicSchemas } from "../../api/calls";
import type { TopicSchema } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useDocumentActions } from "../../editor/interface/useEditor";
import { Prose } from "../../ui/messages/Prose";
import { useForm } from "../form/FormContext";
import { canTake, describeNewer, describeOffer, isTaken, listOffers, takeOffer, type Offer } from "./registry";

const NONE: readonly TopicSchema[] = [];

/** The schemas that the cluster's registry has for a source's topic. One click takes them over. */
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
  const { node } = useForm();
  const { edit } = useDocumentActions();
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
      {!canTake(offer) && `A source reads one of them, or several of Avro; these are ${kinds}.`}
      {canTake(offer) && isTaken(node.config, offer) && "This source reads it."}
      {canTake(offer) && !isTaken(node.config, offer) && (
        <button type="button" className="small-button" onClick={() => edit(takeOffer(node.id, offer))}>
          Use the registry’s schema
        </button>
      )}
    </p>
  );
}
