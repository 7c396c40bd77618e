/** The screens, each loaded when it is opened. */
import { loadable } from "./loadable";
import type { Route } from "../routing/route";

export const Home = loadable(() => import("../pages/home/Home").then(({ Home }) => Home));
export const EditorPage = loadable(() => import("../pages/editor/EditorPage").then(({ EditorPage }) => EditorPage));
export const JobPage = loadable(() => import("../pages/job/JobPage").then(({ JobPage }) => JobPage));
export const LettersPage = loadable(() =>
  import("../pages/letters/LettersPage").then(({ LettersPage }) => LettersPage),
);
export const Alerts = loadable(() => import("../pages/alerts/Alerts").then(({ Alerts }) => Alerts));
export const Clusters = loadable(() => import("../pages/clusters/Clusters").then(({ Clusters }) => Clusters));
export const Hosts = loadable(() => import("../pages/hosts/Hosts").then(({ Hosts }) => Hosts));
export const Topics = loadable(() => import("../pages/topics/Topics").then(({ Topics }) => Topics));
export const TopicPage = loadable(() => import("../pages/topics/TopicPage").then(({ TopicPage }) => TopicPage));
export const Tokens = loadable(() => import("../pages/tokens/Tokens").then(({ Tokens }) => Tokens));
export const Audit = loadable(() => import("../pages/audit/Audit").then(({ Audit }) => Audit));
export const Users = loadable(() => import("../pages/users/Users").then(({ Users }) => Users));

/** Loads the other screens once this one is there and the browser has nothing to do: the next one opens at once. */
export async function prefetchBehind(page: Route["page"]): Promise<void> {
  const screens = {
    editor: EditorPage,
    job: JobPage,
    letters: LettersPage,
    home: Home,
    alerts: Alerts,
    clusters: Clusters,
    hosts: Hosts,
    topics: Topics,
    topic: TopicPage,
    tokens: Tokens,
    users: Users,
    audit: Audit,
  };
  if (page !== "nowhere") await screens[page].prefetch();
  for (const screen of Object.values(screens)) whenIdle(() => void screen.prefetch());
}

function whenIdle(load: () => void): void {
  // Safari has no idle callbacks
  if ("requestIdleCallback" in window) window.requestIdleCallback(load);
  else setTimeout(load, 200);
}
