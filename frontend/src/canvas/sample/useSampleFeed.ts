import { fetchSampleFeed, type SampleFeed } from "../../api/feed";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";

const POLL_MS = 2_000;

/** The current sample feed of this installation, or null if there is none. */
export function useSampleFeed(): { readonly feed: SampleFeed | null; readonly reload: () => Promise<void> } {
  const { data, reload } = useResource(fetchSampleFeed);
  usePolling(reload, POLL_MS);
  return { feed: data, reload };
}
