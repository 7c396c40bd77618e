import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { spreadOverFrames, type Subscribe } from "./spreadOverFrames";
import { followJob, NOTHING, type LiveJob } from "./useLiveJob";

export type LiveStore = StoreApi<LiveJob>;

/** The live state of no job. */
export const NO_LIVE: LiveStore = createStore(() => NOTHING);

/** The live state of a screen's job. Readers of a part are redrawn when that part changes. */
export const LiveContext = createContext<LiveStore>(NO_LIVE);

/** A store that follows a job. Without one it stays empty. */
export function useLiveStore(job: number | null): LiveStore {
  const [store] = useState(() => createStore(() => NOTHING));
  useEffect(() => {
    store.setState(NOTHING, true);
    return job === null ? undefined : followJob(job, (update) => store.setState(update, true));
  }, [store, job]);
  return store;
}

export function useLive<T>(select: (job: LiveJob) => T): T {
  return useStore(useContext(LiveContext), select);
}

const PACED = new WeakMap<LiveStore, Subscribe>();

/** Like `useLive`, for the many items on the canvas: redrawn in turns, soon, but after user input. */
export function usePacedLive<T>(select: (job: LiveJob) => T): T {
  const store = useContext(LiveContext);
  const read = () => select(store.getState());
  return useSyncExternalStore(findSubscription(store), read, read);
}

function findSubscription(store: LiveStore): Subscribe {
  const subscribe = PACED.get(store) ?? spreadOverFrames(store);
  PACED.set(store, subscribe);
  return subscribe;
}
