import { listFunctions } from "../../api/calls";
import type { FunctionHelp } from "../../api/types";

let promise: Promise<readonly FunctionHelp[]> | null = null;

/** Every function for expressions, fetched once. Without an answer it offers none and asks again later. */
export function askFunctions(): Promise<readonly FunctionHelp[]> {
  promise ??= listFunctions().catch(() => {
    promise = null;
    return [];
  });
  return promise;
}
