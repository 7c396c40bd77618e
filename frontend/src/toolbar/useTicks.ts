import { useEffect, useState } from "react";

/** The time in milliseconds, renewed every `ms` while `on`. */
export function useTicks(on: boolean, ms: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!on) return;
    const timer = window.setInterval(() => setNow(Date.now()), ms);
    return () => window.clearInterval(timer);
  }, [on, ms]);
  return now;
}
