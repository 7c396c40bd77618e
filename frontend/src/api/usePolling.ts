import { useEffect } from "react";

/** Calls `reload` every `ms` while the tab is visible, and at once when it becomes visible. Never if `ms` is null. */
export function usePolling(reload: () => Promise<void>, ms: number | null): void {
  useEffect(() => {
    if (ms === null) return;
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
