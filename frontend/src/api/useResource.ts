import { useCallback, useEffect, useState } from "react";
import { toRefusal, type Refusal } from "./refusal";
import { AnswerOrder } from "./answerOrder";

export interface Resource<T> {
  readonly data: T | null;
  readonly refusal: Refusal | null;
  readonly reload: () => Promise<void>;
}

/** The answer of `load`, refreshed by `reload`. The last good answer stays while a newer one fails. */
export function useResource<T>(load: () => Promise<T>): Resource<T> {
  const [data, setData] = useState<T | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [order] = useState(() => new AnswerOrder());

  const reload = useCallback(async () => {
    const isNewer = order.begin();
    try {
      const answer = await load();
      if (!isNewer()) return;
      setData(answer);
      setRefusal(null);
    } catch (error) {
      if (isNewer()) setRefusal(toRefusal(error));
    }
  }, [load, order]);

  useEffect(() => {
    order.forget();
    // eslint-disable-next-line react-hooks/set-state-in-effect -- state is set when the answer arrives, not here
    void reload();
  }, [reload, order]);

  return { data, refusal, reload };
}
