import { useEffect, useState } from "react";
import { fetchCatalogue } from "./calls";
import type { Operator } from "./types";

export type Operators = ReadonlyMap<string, Operator>;

let promise: Promise<Operators> | null = null;

/** Every kind of node by its name. Fetched once, and empty until the answer arrives. */
export function useOperators(): Operators {
  const [operators, setOperators] = useState<Operators>(new Map());
  useEffect(() => {
    promise ??= fetchCatalogue().then(({ operators }) => new Map(operators.map((each) => [each.name, each])));
    promise.then(setOperators, () => {
      promise = null; // without it graphs are drawn in one colour; the next page asks again
    });
  }, []);
  return operators;
}
