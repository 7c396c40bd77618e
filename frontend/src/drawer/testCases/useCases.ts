import { useCallback, useEffect, useMemo } from "react";
import { listCases, runCases } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { TestCase, Verdict } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import type { Document } from "../../editor/document/document";
import { useCluster } from "../../editor/interface/useCluster";
import { useDocument, useInterfaceActions } from "../../editor/interface/useEditor";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { countFailures } from "./cases";
import { makeContentKey } from "../../editor/document/contentKey";

const SETTLED_MS = 500;

interface Answer {
  readonly contentKey: string;
  readonly cases: readonly TestCase[];
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** Why none of them could run. */
  readonly refusal: Refusal | null;
}

/** The topology's test cases with their results for the shown graph. Runs again after each edit. */
export function useCases() {
  const topology = useDocument((editor) => editor.topology);
  const { graph } = useShownGraph();
  const schemas = useDocument(({ document }) => document.schemas);
  const cluster = useCluster();
  const document = useMemo(() => ({ graph, schemas }), [graph, schemas]);
  const settled = useStableValue(document, SETTLED_MS);
  const contentKey = useMemo(() => makeContentKey(settled), [settled]);
  const load = useCallback(async (): Promise<Answer> => {
    const cases = await listCases(topology);
    if (cases.length === 0) return { contentKey, cases, verdicts: new Map(), refusal: null };
    try {
      const verdicts = await runCases(topology, { ...(JSON.parse(contentKey) as Document), cluster });
      return { contentKey, cases, verdicts: new Map(verdicts.map((each) => [each.case, each])), refusal: null };
    } catch (error) {
      return { contentKey, cases, verdicts: new Map(), refusal: toRefusal(error) };
    }
  }, [topology, contentKey, cluster]);
  const { data, refusal, reload } = useResource(load);
  const { countFailingCases } = useInterfaceActions();
  useEffect(() => {
    if (data !== null) countFailingCases(countFailures([...data.verdicts.values()]));
  }, [data, countFailingCases]);
  const isOld = data !== null && (document !== settled || data.contentKey !== contentKey);
  return { topology, data, refusal, reload, isOld };
}
