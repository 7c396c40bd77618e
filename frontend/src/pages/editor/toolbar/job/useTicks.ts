import { useEffect, useState } from "react";

/** The time in milliseconds, renewed every `ms` while `on`. */
export function useTicks(isOn: boolean, ms: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isOn) return;
    const timer = window.setInterval(() => setNow(Date.now()), ms);
    return () => window.clearInterval(timer);
  }, [isOn, ms]);
  return now;
}
