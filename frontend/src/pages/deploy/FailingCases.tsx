import { useCallback } from "react";
import { runCases } from "../../api/calls";
import { useResource } from "../../api/useResource";
import { describeFailures } from "../../drawer/testCases/cases";
import { Notice } from "../../ui/messages/Notice";

/** Warns of test cases that fail with the saved draft. Users can deploy it anyway. */
export function FailingCases({ topology }: { readonly topology: number }) {
  const { data } = useResource(useCallback(() => runCases(topology, null), [topology]));
  const words = data === null ? null : describeFailures(data);
  return words === null ? null : <Notice tone="warn" title={`${words}.`} />;
}
