import { useEffect, useRef } from "react";

/** Calls `reload` when a value changes, but not at first: a resource loads itself then. */
export function useReloadOn(value: unknown, reload: () => Promise<void>): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    void reload();
  }, [value, reload]);
}
