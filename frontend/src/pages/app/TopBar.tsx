import { useState, type ReactNode } from "react";
import { toRefusal, type Refusal } from "../../api/refusal";
import { listProjects, useRights } from "../../api/rights";
import { signOut } from "../../api/session";
import { isUnsilenced, useAlerts } from "../../live/alerts";
import { Icon } from "../../ui/icons/Icon";
import { ThemeChoice } from "../../ui/controls/ThemeChoice";
import { Notice } from "../../ui/messages/Notice";
import { Link } from "../../ui/routing/Link";
import { Mark } from "../../ui/icons/Mark";
import { hrefs, parseRoute } from "../../ui/routing/route";
import { usePath } from "../../ui/routing/usePath";
import { PasswordDialog } from "./screens";
import "./TopBar.css";

/** The bar above every screen except the editor, which has its own link home. */
export function TopBar() {
  const { page } = parseRoute(usePath());
  const rights = useRights();
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const leave = () => {
    setRefusal(null);
    signOut().catch((error: unknown) => setRefusal(toRefusal(error)));
  };
  if (page === "editor") return null;
  return (
    <header className="top-bar">
      <Link href={hrefs.home} className="brand" aria-label="Streamwright">
        <Mark />
        <span className="word">Streamwright</span>
      </Link>
      <nav className="across bar-of-tabs" aria-label="Main">
        <Tab href={hrefs.home} isHere={page === "home"}>
          Home
        </Tab>
        <Tab href={hrefs.alerts} isHere={page === "alerts"}>
          Alerts
          <FiringCount />
        </Tab>
        <Tab href={hrefs.clusters} isHere={page === "clusters"}>
          Clusters
        </Tab>
        <Tab href={hrefs.topics()} isHere={page.startsWith("topic") || page === "schemas"}>
          Topics
        </Tab>
        <Tab href={hrefs.hosts} isHere={page === "hosts"}>
          Hosts
        </Tab>
        <Tab href={hrefs.tokens} isHere={page === "tokens"}>
          Tokens
        </Tab>
        {rights !== null && listProjects(rights, "administrator").length > 0 && (
          <Tab href={hrefs.users} isHere={page === "users"}>
            Users
          </Tab>
        )}
        {rights?.is_product_administrator === true && (
          <Tab href={hrefs.audit} isHere={page === "audit"}>
            Audit
          </Tab>
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
      <button type="button" className="leave" aria-label="Sign out" onClick={leave}>
        <Icon name="leave" />
        <span className="word">Sign out</span>
      </button>
      {refusal !== null && (
        <div className="not-left">
          <Notice tone="bad" title={`You are still signed in. ${refusal.message}`}>
            <p>{refusal.hint}</p>
          </Notice>
        </div>
      )}
    </header>
  );
}

interface TabProps {
  readonly href: string;
  readonly isHere: boolean;
  readonly children: ReactNode;
}

/** A page. The one that is open comes into view where the bar has no room for all. */
function Tab({ href, isHere, children }: TabProps) {
  return (
    <Link href={href} className="tab" aria-current={isHere ? "page" : undefined} ref={isHere ? show : undefined}>
      {children}
    </Link>
  );
}

const show = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: "nearest" });

/** The number of firing alerts that are not silenced. */
function FiringCount() {
  const count = useAlerts((alerts) => alerts.filter(isUnsilenced).length);
  if (count === 0) return null;
  return (
    <span className="firing number">
      {count}
      <span className="for-screen-readers"> firing</span>
    </span>
  );
}
