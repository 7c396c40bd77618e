/** Values that the user pinned to nodes of a topology. This browser remembers them. */
import { create } from "zustand";
import { keep, readKept } from "../../ui/browser/kept";

export type PinnedValue = "rate" | "latency" | "busy" | "rows" | "record";

export interface Pin {
  readonly node: string;
  readonly value: PinnedValue;
}

interface Pins {
  readonly topology: number | null;
  readonly pins: readonly Pin[];
}

export const usePins = create<Pins>()(() => ({ topology: null, pins: [] }));

export function openPins(topology: number): void {
  if (usePins.getState().topology !== topology) usePins.setState({ topology, pins: read(topology) });
}

/** Pins a value to a node, or takes it off. */
export function togglePin(pin: Pin): void {
  const { topology, pins } = usePins.getState();
  const others = pins.filter((one) => !isSame(one, pin));
  const next = others.length === pins.length ? [...pins, pin] : others;
  usePins.setState({ pins: next });
  if (topology !== null) keep("pins", topology, next.length === 0 ? null : JSON.stringify(next));
}

export function isPinned(pins: readonly Pin[], pin: Pin): boolean {
  return pins.some((one) => isSame(one, pin));
}

function isSame(one: Pin, other: Pin): boolean {
  return one.node === other.node && one.value === other.value;
}

function read(topology: number): readonly Pin[] {
  try {
    const kept: unknown = JSON.parse(readKept("pins", topology) ?? "[]");
    return Array.isArray(kept) ? (kept as Pin[]) : [];
  } catch {
    return [];
  }
}
