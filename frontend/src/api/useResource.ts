import { useCallback, useEffect, useState } from "react";
import { toRefusal, type Refusal } from "./refusal";
import { Turns } from "./turns";

export interface Resource<T> {
  readonly data: T | null;
  readonly refusal: Refusal | null;
  readonly reload: () => Promise<void>;
}

/** The answer of `load`, refreshed by `reload`. The last good answer stays while a newer one fails. */
export function useResource<T>(load: () => Promise<T>): Resource<T> {
  const [data, setData] = useState<T | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [turns] = useState(() => new Turns());

  const reload = useCallback(async () => {
    const isNewer = turns.begin();
    try {
      const answer = await load();
      if (!isNewer()) return;
      setData(answer);
      setRefusal(null);
    } catch (error) {
      if (isNewer()) setRefusal(toRefusal(error));
    }
  }, [load, turns]);

  useEffect(() => {
    turns.forget();
    // eslint-disable-next-line react-hooks/set-state-in-effect -- state is set when the answer arrives, not here
    void reload();
  }, [reload, turns]);

  return { data, refusal, reload };
}
