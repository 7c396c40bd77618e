import { useCallback, useEffect, useRef, useState } from "react";
import { toRefusal, type Refusal } from "./refusal";

export interface Resource<T> {
  readonly data: T | null;
  readonly refusal: Refusal | null;
  readonly reload: () => Promise<void>;
}

/** The answer of `load`, refreshed by `reload`. The last good answer stays while a newer one fails. */
export function useResource<T>(load: () => Promise<T>): Resource<T> {
  const [data, setData] = useState<T | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const newest = useRef(0);

  const reload = useCallback(async () => {
    const turn = (newest.current += 1);
    try {
      const answer = await load();
      if (turn !== newest.current) return;
      setData(answer);
      setRefusal(null);
    } catch (error) {
      if (turn === newest.current) setRefusal(toRefusal(error));
    }
  }, [load]);

  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect -- state is set when the answer arrives, not here
    void reload();
  }, [reload]);

  return { data, refusal, reload };
}
