import { useEffect } from "react";

/** Call `reload` every `ms` while the tab is seen, and at once when it is seen again. */
export function usePolling(reload: () => Promise<void>, ms: number): void {
  useEffect(() => {
    const pollIfVisible = () => {
      if (!document.hidden) void reload();
    };
    const timer = window.setInterval(pollIfVisible, ms);
    document.addEventListener("visibilitychange", pollIfVisible);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", pollIfVisible);
    };
  }, [reload, ms]);
}
