import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { listDeadLetters } from "../../api/calls";
import type { Refusal } from "../../api/refusal";
import type { ChosenDeadLetters, DeadLetters } from "../../api/types";
import { useResource } from "../../api/useResource";
import { chooseDeadLetters, makeFilter, NO_FILTER, type Filter } from "./deadLetters";

const TYPED_MS = 400;
const NONE: ReadonlySet<string> = new Set();

/** The dead letters that match a filter, and the marked ones among them. */
export interface FoundLetters {
  readonly filter: Filter;
  readonly changeFilter: (part: Partial<Filter>) => void;
  /** The text in the field of the search, which becomes part of the filter after a pause. */
  readonly text: string;
  readonly type: (text: string) => void;
  /** The places of the marked letters. Another filter begins without marks. */
  readonly marks: ReadonlySet<string>;
  readonly mark: (marks: ReadonlySet<string>) => void;
  /** The marked letters, or all that match now if none is marked. */
  readonly choose: () => ChosenDeadLetters;
  /** Null before the first answer. */
  readonly data: DeadLetters | null;
  /** False while the answer is that of an earlier filter. */
  readonly isUpToDate: boolean;
  readonly refusal: Refusal | null;
  readonly reload: () => Promise<void>;
}

export function useFoundLetters(job: number): FoundLetters {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [text, type] = useState("");
  const [marks, mark] = useState(NONE);
  const load = useCallback(
    async () => ({ filter, answer: await listDeadLetters(job, makeFilter(filter, Date.now())) }),
    [job, filter],
  );
  const { data: found, refusal, reload } = useResource(load);
  const changeFilter = (part: Partial<Filter>) => {
    mark(NONE);
    setFilter((before) => ({ ...before, ...part }));
  };
  const search = useEffectEvent(() => {
    if (text !== filter.search) changeFilter({ search: text });
  });
  useEffect(() => {
    const timer = setTimeout(() => search(), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isUpToDate = found?.filter === filter && text === filter.search;
  const choose = () => chooseDeadLetters(filter, marks, Date.now());
  const data = found?.answer ?? null;
  return { filter, changeFilter, text, type, marks, mark, choose, data, isUpToDate, refusal, reload };
}
