import { useEffect, useReducer, type ComponentType } from "react";
import { Button } from "../controls/Button";
import { Notice } from "./Notice";

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

/** Replaces a screen if its code could not be loaded. */
function LoadFailure() {
  const reload = (
    <Button icon="restart" onClick={() => window.location.reload()}>
      Reload
    </Button>
  );
  return (
    <Notice tone="bad" title="This page could not be loaded." action={reload}>
      <p>The server may be down or newly updated. Reload the page.</p>
    </Notice>
  );
}
