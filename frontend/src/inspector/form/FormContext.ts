import { createContext, useContext } from "react";
import type { Refusal } from "../../api/refusal";
import type { Examples, GraphNode, Issue, Operator, Topic } from "../../api/types";
import type { IssuePlaces } from "./placing";

/** A topic as the cluster describes it. */
export interface TopicLook {
  readonly cluster: string;
  /** Every topic of the cluster, or null until known. */
  readonly topics: readonly Topic[] | null;
  /** The topic itself, or undefined if the cluster does not have it. */
  readonly match: Topic | undefined;
  readonly examples: Examples | null;
  readonly refusal: Refusal | null;
  readonly lookAgain: () => Promise<void>;
}

/** State that every field of a node's form shares. */
export interface Form {
  readonly node: GraphNode;
  readonly operator: Operator;
  readonly isSource: boolean;
  /** The lists whose rows are ports: each row needs a name from the beginning. */
  readonly portLists: ReadonlySet<string>;
  readonly issues: IssuePlaces;
  /** Facts about the topic that the node reads or writes. */
  readonly topic: TopicLook;
  /** Undefined empties the field. */
  readonly change: (path: string, value: unknown) => void;
  readonly fix: (issue: Issue) => void;
}

export const FormContext = createContext<Form | null>(null);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (form === null) throw new Error("This field is outside a form.");
  return form;
}

const NONE: readonly Issue[] = [];

/** The issues at one field. */
export function useIssuesAt(path: string): readonly Issue[] {
  return useForm().issues.at.get(path) ?? NONE;
}
