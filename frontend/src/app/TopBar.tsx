import { signOut } from "../api/session";
import { Icon } from "../parts/Icon";
import { Link } from "./Link";
import { Mark } from "./Mark";
import { hrefs } from "./route";
import "./TopBar.css";

/** What stands above every screen. */
export function TopBar() {
  return (
    <header className="top-bar">
      <Link href={hrefs.home} className="brand">
        <Mark />
        Streamwright
      </Link>
      <nav aria-label="Main">
        <Link href={hrefs.home} className="tab" aria-current="page">
          Home
        </Link>
      </nav>
      <button type="button" className="leave" onClick={() => void signOut()}>
        <Icon name="leave" />
        Sign out
      </button>
    </header>
  );
}
