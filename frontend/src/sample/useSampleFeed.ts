import { sampleFeed, type SampleFeed } from "../api/feed";
import { useFetched } from "../api/useFetched";
import { usePolled } from "../api/usePolled";

const POLL_MS = 2_000;

/** The sample feed of this installation, kept current; null where there is none. */
export function useSampleFeed(): { readonly feed: SampleFeed | null; readonly reload: () => Promise<void> } {
  const { data, reload } = useFetched(sampleFeed);
  usePolled(reload, POLL_MS);
  return { feed: data, reload };
}
