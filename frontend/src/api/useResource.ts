import { useCallback, useEffect, useState } from "react";
import { mayPass, toRefusal, type Refusal } from "./refusal";
import { AnswerOrder } from "./answerOrder";
import { onReturn } from "./reach";

export interface Resource<T> {
  readonly data: T | null;
  readonly refusal: Refusal | null;
  readonly reload: () => Promise<void>;
}

const AGAIN_MS = 5_000;

/**
 * The answer of `load`, refreshed by `reload`. The last good answer stays while a newer one fails.
 * After a failure that may pass, it asks again by itself: after a while, or when the server answers others again.
 */
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

  useEffect(() => {
    if (refusal === null || !mayPass(refusal)) return;
    const again = () => void reload();
    const timer = window.setTimeout(again, AGAIN_MS);
    const stop = onReturn(again);
    return () => {
      window.clearTimeout(timer);
      stop();
    };
  }, [refusal, reload]);

  return { data, refusal, reload };
}
