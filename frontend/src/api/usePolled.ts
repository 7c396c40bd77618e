import { useEffect } from "react";

/** Call `reload` every `ms` while the tab is seen, and at once when it is seen again. */
export function usePolled(reload: () => Promise<void>, ms: number): void {
  useEffect(() => {
    const seen = () => {
      if (!document.hidden) void reload();
    };
    const timer = window.setInterval(seen, ms);
    document.addEventListener("visibilitychange", seen);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [reload, ms]);
}
