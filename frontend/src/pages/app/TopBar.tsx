import { useState } from "react";
import { listProjects, useRights } from "../../api/rights";
import { signOut } from "../../api/session";
import { PasswordDialog } from "../account/PasswordDialog";
import type { Alert } from "../../api/types";
import { useAlerts } from "../../live/alerts";
import { Icon } from "../../ui/icons/Icon";
import { ThemeChoice } from "../../ui/controls/ThemeChoice";
import { Link } from "../../ui/routing/Link";
import { Mark } from "../../ui/icons/Mark";
import { hrefs, parseRoute } from "../../ui/routing/route";
import { usePath } from "../../ui/routing/usePath";
import "./TopBar.css";

/** The bar above every screen except the editor, which has its own link home. */
export function TopBar() {
  const { page } = parseRoute(usePath());
  const rights = useRights();
  const [isAsking, setIsAsking] = useState(false);
  if (page === "editor") return null;
  return (
    <header className="top-bar">
      <Link href={hrefs.home} className="brand">
        <Mark />
        Streamwright
      </Link>
      <nav aria-label="Main">
        <Link href={hrefs.home} className="tab" aria-current={page === "home" ? "page" : undefined}>
          Home
        </Link>
        <Link href={hrefs.alerts} className="tab" aria-current={page === "alerts" ? "page" : undefined}>
          Alerts
          <FiringCount />
        </Link>
        <Link href={hrefs.clusters} className="tab" aria-current={page === "clusters" ? "page" : undefined}>
          Clusters
        </Link>
        <Link
          href={hrefs.topics()}
          className="tab"
          aria-current={page.startsWith("topic") || page === "schemas" ? "page" : undefined}
        >
          Topics
        </Link>
        <Link href={hrefs.hosts} className="tab" aria-current={page === "hosts" ? "page" : undefined}>
          Hosts
        </Link>
        <Link href={hrefs.tokens} className="tab" aria-current={page === "tokens" ? "page" : undefined}>
          Tokens
        </Link>
        {rights !== null && listProjects(rights, "administrator").length > 0 && (
          <Link href={hrefs.users} className="tab" aria-current={page === "users" ? "page" : undefined}>
            Users
          </Link>
        )}
        {rights?.is_product_administrator === true && (
          <Link href={hrefs.audit} className="tab" aria-current={page === "audit" ? "page" : undefined}>
            Audit
          </Link>
        )}
        <a href="/docs/" className="tab" target="_blank" rel="noopener">
          Documentation
        </a>
      </nav>
      <ThemeChoice />
      {rights?.has_password === true && (
        <button type="button" className="leave" title="Change your password" onClick={() => setIsAsking(true)}>
          {rights.user}
        </button>
      )}
      {rights?.has_password === false && (
        <span className="leave" title={`${rights.provider || "A provider"} signs you in`}>
          {rights.user}
        </span>
      )}
      {rights !== null && isAsking && <PasswordDialog user={rights.user} close={() => setIsAsking(false)} />}
      <button type="button" className="leave" onClick={() => void signOut()}>
        <Icon name="leave" />
        Sign out
      </button>
    </header>
  );
}

/** The number of firing alerts that are not silenced. */
function FiringCount() {
  const count = useAlerts((alerts) => alerts.filter(isLoud).length);
  if (count === 0) return null;
  return (
    <span className="firing number">
      {count}
      <span className="for-screen-readers"> firing</span>
    </span>
  );
}

function isLoud({ state, silenced_until }: Alert): boolean {
  return state === "firing" && silenced_until === null;
}
