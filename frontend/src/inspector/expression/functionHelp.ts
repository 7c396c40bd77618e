import { listFunctions } from "../../api/calls";
import type { FunctionHelp } from "../../api/types";

let promise: Promise<readonly FunctionHelp[]> | null = null;

/** Every function an expression may call: asked for once. Without an answer none are offered, and it is asked again. */
export function askFunctions(): Promise<readonly FunctionHelp[]> {
  promise ??= listFunctions().catch(() => {
    promise = null;
    return [];
  });
  return promise;
}
