/** The screens, each loaded when it is opened. */
import { makeLoadable } from "../../ui/messages/makeLoadable";
import { parseRoute, type Route } from "../../ui/routing/route";

export const Home = makeLoadable(() => import("../home/Home").then(({ Home }) => Home));
export const EditorPage = makeLoadable(() => import("../editor/EditorPage").then(({ EditorPage }) => EditorPage));
export const JobPage = makeLoadable(() => import("../job/JobPage").then(({ JobPage }) => JobPage));
export const DeadLettersPage = makeLoadable(() =>
  import("../deadLetters/DeadLettersPage").then(({ DeadLettersPage }) => DeadLettersPage),
);
export const Alerts = makeLoadable(() => import("../alerts/Alerts").then(({ Alerts }) => Alerts));
export const Clusters = makeLoadable(() => import("../clusters/Clusters").then(({ Clusters }) => Clusters));
export const Hosts = makeLoadable(() => import("../hosts/Hosts").then(({ Hosts }) => Hosts));
export const Topics = makeLoadable(() => import("../topics/Topics").then(({ Topics }) => Topics));
export const TopicPage = makeLoadable(() => import("../topics/TopicPage").then(({ TopicPage }) => TopicPage));
export const Schemas = makeLoadable(() => import("../schemas/Schemas").then(({ Schemas }) => Schemas));
export const Shared = makeLoadable(() => import("../shared/Shared").then(({ Shared }) => Shared));
export const Tokens = makeLoadable(() => import("../tokens/Tokens").then(({ Tokens }) => Tokens));
export const Audit = makeLoadable(() => import("../audit/Audit").then(({ Audit }) => Audit));
export const Users = makeLoadable(() => import("../users/Users").then(({ Users }) => Users));

const SCREENS = {
  editor: EditorPage,
  job: JobPage,
  letters: DeadLettersPage,
  home: Home,
  alerts: Alerts,
  clusters: Clusters,
  hosts: Hosts,
  topics: Topics,
  topic: TopicPage,
  schemas: Schemas,
  tokens: Tokens,
  users: Users,
  audit: Audit,
  shared: Shared,
};
/** They are most of all scripts, so they wait until a pointer or the focus reaches a link to them. */
const LARGE: readonly unknown[] = [EditorPage, Shared, JobPage, DeadLettersPage];

/** Loads the other screens when this one is ready and the browser is idle, so that they open at once. */
export async function loadBehind(page: Route["page"]): Promise<void> {
  if (page !== "nowhere") await SCREENS[page].prefetch();
  if (page === "shared") return;
  for (const screen of Object.values(SCREENS)) if (!LARGE.includes(screen)) runWhenIdle(() => void screen.prefetch());
}

/** Loads the screen behind a link when the pointer or the focus reaches it, until the returned function is called. */
export function loadOnIntent(): () => void {
  const load = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href^='/']") : null;
    const page = link === null ? "nowhere" : parseRoute(link.pathname).page;
    if (page !== "nowhere") void SCREENS[page].prefetch();
  };
  document.addEventListener("pointerover", load, { passive: true });
  document.addEventListener("focusin", load);
  return () => {
    document.removeEventListener("pointerover", load);
    document.removeEventListener("focusin", load);
  };
}

function runWhenIdle(load: () => void): void {
  // Safari has no idle callbacks
  if ("requestIdleCallback" in window) window.requestIdleCallback(load);
  else setTimeout(load, 200);
}

/** Not a screen, but seldom opened. */
export const PasswordDialog = makeLoadable(() =>
  import("../account/PasswordDialog").then(({ PasswordDialog }) => PasswordDialog),
);
