import { useEffect, useState } from "react";

/** A value once it has been the same for `ms`. */
export function useStableValue<T>(value: T, ms: number): T {
  const [stable, setStable] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStable(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return stable;
}
