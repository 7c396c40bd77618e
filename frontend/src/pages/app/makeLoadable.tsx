import { useEffect, useReducer, type ComponentType } from "react";
import { LoadFailure } from "./LoadFailure";

type Loadable<P> = ComponentType<P> & { readonly prefetch: () => Promise<void> };

/**
 * A screen that loads its code at its first drawing, or earlier by `prefetch`.
 * React.lazy would show an empty page first even if the code is loaded: it waits for a promise anyway.
 *
 *     const Home = makeLoadable(() => import("../home/Home").then(({ Home }) => Home));
 */
export function makeLoadable<P extends object>(load: () => Promise<ComponentType<P>>): Loadable<P> {
  let Component: ComponentType<P> | null = null;
  let hasFailed = false;
  let loading: Promise<void> | null = null;
  const prefetch = () =>
    (loading ??= load().then(
      (component) => {
        Component = component;
      },
      () => {
        hasFailed = true;
      },
    ));

  function Screen(props: P) {
    const [, redraw] = useReducer((count: number) => count + 1, 0);
    useEffect(() => {
      if (Component === null) void prefetch().then(redraw);
    }, []);
    if (Component !== null) return <Component {...props} />;
    return hasFailed ? <LoadFailure /> : null;
  }
  return Object.assign(Screen, { prefetch });
}
