import { Home } from "../pages/home/Home";
import { JobPage } from "../pages/job/JobPage";
import { Nowhere } from "../pages/Nowhere";
import { routeOf } from "./route";
import { TopBar } from "./TopBar";
import { usePath } from "./usePath";
import "./App.css";

export function App() {
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <TopBar />
      <main id="content" tabIndex={-1}>
        <Screen />
      </main>
    </>
  );
}

function Screen() {
  const route = routeOf(usePath());
  switch (route.page) {
    case "home":
      return <Home />;
    case "job":
      return <JobPage key={route.job} id={route.job} />;
    case "nowhere":
      return <Nowhere />;
  }
}
