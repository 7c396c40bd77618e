import { useEffect } from "react";
import { parseRoute, type Route } from "../../ui/routing/route";
import {
  Alerts,
  Audit,
  Clusters,
  EditorPage,
  Home,
  Hosts,
  JobPage,
  DeadLettersPage,
  loadBehind,
  loadOnIntent,
  Schemas,
  Shared,
  Tokens,
  TopicPage,
  Topics,
  Users,
} from "./screens";
import { MentionNotice } from "./MentionNotice";
import { TopBar } from "./TopBar";
import { usePath } from "../../ui/routing/usePath";
import { Refusal } from "../../api/refusal";
import { Missing } from "../../ui/messages/Missing";
import "./App.css";

export function App() {
  const route = parseRoute(usePath());
  useEffect(() => void loadBehind(route.page), [route.page]);
  useEffect(loadOnIntent, []);
  // its reader has no account, and may only see this
  const isShared = route.page === "shared";
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      {!isShared && <TopBar />}
      <main id="content" className={route.page} tabIndex={-1}>
        <Screen route={route} />
      </main>
      {!isShared && <MentionNotice />}
    </>
  );
}

function Screen({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "home":
      return <Home />;
    case "editor":
      return <EditorPage key={route.topology} id={route.topology} />;
    case "job":
      return <JobPage key={route.job} id={route.job} />;
    case "letters":
      return <DeadLettersPage key={`${route.of} ${route.id}`} of={route.of} id={route.id} />;
    case "alerts":
      return <Alerts />;
    case "clusters":
      return <Clusters />;
    case "hosts":
      return <Hosts />;
    case "topics":
      return <Topics key={route.cluster} cluster={route.cluster} />;
    case "topic":
      return <TopicPage key={`${route.cluster} ${route.topic}`} cluster={route.cluster} topic={route.topic} />;
    case "schemas":
      return <Schemas key={route.cluster} cluster={route.cluster} subject={route.subject} />;
    case "tokens":
      return <Tokens />;
    case "users":
      return <Users />;
    case "audit":
      return <Audit />;
    case "shared":
      return <Shared />;
    case "nowhere":
      return <Nowhere />;
  }
}

const NOTHING_HERE = new Refusal(404, "not_found", "There is no page at this address.", "Go home and look from there.");

function Nowhere() {
  return <Missing title="Nothing here" refusal={NOTHING_HERE} />;
}
