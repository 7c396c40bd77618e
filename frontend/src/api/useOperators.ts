import { useEffect, useState } from "react";
import { catalogue } from "./calls";
import type { Operator } from "./types";

export type Operators = ReadonlyMap<string, Operator>;

let promise: Promise<Operators> | null = null;

/** Every kind of node by its name: asked for once, empty until the answer is there. */
export function useOperators(): Operators {
  const [operators, setOperators] = useState<Operators>(new Map());
  useEffect(() => {
    promise ??= catalogue().then((answer) => new Map(answer.operators.map((operator) => [operator.name, operator])));
    promise.then(setOperators, () => {
      promise = null; // without it graphs are drawn in one colour; the next page asks again
    });
  }, []);
  return operators;
}
