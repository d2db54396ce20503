/** The settings: tabs and their pages. Tabs that the current user may not use are hidden. */
import { useEffect, useRef } from "react";
import type { AgentRecord, HouseRecord, Me } from "@hearth/protocol";
import { Link, useLocation } from "wouter";
import { classes } from "../design/classes.ts";
import { PageHeader } from "../design/page-header.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { Tabs } from "../design/tabs.tsx";
import { hasRight, may, mayAdministerHome, mayIn, mayManageProviders } from "../house/may.ts";
import { createLazyPart } from "../house/lazy-part.tsx";
import { Settled } from "../house/settled.tsx";
import { useTitle } from "../house/title.ts";
import { useHouse } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import { AgentLoader } from "./agents/agent-at.tsx";
import { AgentPage, tabsOf } from "./agents/agent-page.tsx";
import { AgentsPage } from "./agents/agents-page.tsx";
import { agentsOf } from "./form/choose-agents.tsx";
import { GeneralPage } from "./house/general-page.tsx";
import { ModelsPage } from "./house/models-page.tsx";
import { NewAgentPage } from "./agents/new-agent-page.tsx";
import { paths, type Place, placeOf, titleOfPlace } from "./place.ts";
import { RoomLoader } from "./rooms/room-at.tsx";
import { RoomsPage } from "./rooms/rooms-page.tsx";
import styles from "./settings.module.css";
import { SystemPage } from "./house/system-page.tsx";
import * as texts from "./text.ts";

const Fallback = () => <Skeleton label={texts.loading} />;
const AccountPage = createLazyPart({
  load: async () => (await import("./account/account-page.tsx")).AccountPage,
  Fallback,
});
const NotificationsPage = createLazyPart({
  load: async () => (await import("./notifications/notifications-page.tsx")).NotificationsPage,
  Fallback,
});
const ActivityPage = createLazyPart({
  load: async () => (await import("./activity/activity-page.tsx")).ActivityPage,
  Fallback,
});
const ImportPage = createLazyPart({
  load: async () => (await import("./imports/import-page.tsx")).ImportPage,
  Fallback,
});
const InsidePage = createLazyPart({
  load: async () => (await import("./agents/inside-page.tsx")).ContextPage,
  Fallback,
});
const MembersPage = createLazyPart({
  load: async () => (await import("./access/members-page.tsx")).MembersPage,
  Fallback,
});
const NewRoomPage = createLazyPart({
  load: async () => (await import("./rooms/new-room-page.tsx")).NewRoomPage,
  Fallback,
});
const WebPage = createLazyPart({ load: async () => (await import("./web/web-page.tsx")).WebPage, Fallback });
const ChannelsPage = createLazyPart({
  load: async () => (await import("./channels/channels-page.tsx")).ChannelsPage,
  Fallback,
});
const NewChannelPage = createLazyPart({
  load: async () => (await import("./channels/wizard/new-channel-page.tsx")).NewChannelPage,
  Fallback,
});
const SandboxesPage = createLazyPart({
  load: async () => (await import("./sandboxes/sandboxes-page.tsx")).SandboxesPage,
  Fallback,
});
const LimitsPage = createLazyPart({
  load: async () => (await import("./usage/limits-page.tsx")).LimitsPage,
  Fallback,
});
const BackupsPage = createLazyPart({
  load: async () => (await import("./backups/backups-page.tsx")).BackupsPage,
  Fallback,
});
const KeysPage = createLazyPart({
  load: async () => (await import("./keys/keys-section.tsx")).KeysSection,
  Fallback,
});
const AuditPage = createLazyPart({
  load: async () => (await import("./audit/audit-page.tsx")).AuditPage,
  Fallback,
});
const RoomSettings = createLazyPart({
  load: async () => (await import("./rooms/room-settings.tsx")).RoomSettings,
  Fallback,
});

interface SettingsTab {
  readonly title: string;
  readonly path: string;
  readonly kinds: readonly Place["kind"][];
  /** Whether the user may open the page. Undefined allows everyone. */
  readonly mayOpen?: (me: Me | undefined, house: HouseRecord | undefined) => boolean;
}

const mayManageSecrets = (me: Me | undefined, house: HouseRecord | undefined): boolean =>
  hasRight(me, "secrets", house?.id);

const mayReadAudit = (me: Me | undefined, house: HouseRecord | undefined): boolean => hasRight(me, "audit", house?.id);

const tabs: readonly SettingsTab[] = [
  { title: texts.general, path: paths.general, kinds: ["general"] },
  { title: texts.account, path: paths.account, kinds: ["account"] },
  { title: texts.notifications, path: paths.notifications, kinds: ["notifications"] },
  {
    title: texts.agents,
    path: paths.agents,
    kinds: ["agents", "agent", "agent-inside", "new-agent", "import"],
  },
  { title: texts.members, path: paths.members, kinds: ["members"] },
  { title: texts.rooms, path: paths.rooms, kinds: ["rooms", "room", "room-activity", "new-room"] },
  { title: texts.models, path: paths.models, kinds: ["models"], mayOpen: mayManageProviders },
  { title: texts.web, path: paths.web, kinds: ["web"], mayOpen: mayManageSecrets },
  { title: texts.channels, path: paths.channels, kinds: ["channels", "new-channel"], mayOpen: mayAdministerHome },
  { title: texts.sandboxes, path: paths.sandboxes, kinds: ["sandboxes"], mayOpen: mayAdministerHome },
  { title: texts.limits, path: paths.limits, kinds: ["limits"] },
  { title: texts.backups, path: paths.backups, kinds: ["backups"], mayOpen: mayAdministerHome },
  { title: texts.audit, path: paths.audit, kinds: ["audit"], mayOpen: mayReadAudit },
  { title: texts.apiKeys, path: paths.keys, kinds: ["keys"] },
  { title: texts.system, path: paths.system, kinds: ["system"], mayOpen: mayAdministerHome },
];

/** Pages that begin with a link to their parent page. */
const innerKinds: readonly Place["kind"][] = [
  "agent",
  "agent-inside",
  "new-agent",
  "import",
  "room",
  "room-activity",
  "new-room",
  "new-channel",
];

export const SettingsPage = () => {
  const { me, house } = useHouse();
  const [location] = useLocation();
  const place = placeOf(location);
  const page = useRef<HTMLDivElement>(null);
  useTitle(useSettingsTitle(place));
  // Scroll a new page to its top.
  useEffect(() => {
    page.current?.scrollTo({ top: 0 });
  }, [location]);
  return (
    <div ref={page} className={styles.page}>
      <div className={styles.column}>
        {/* The side bar links to the agents beside the settings. */}
        <PageHeader title={place.kind === "agents" ? texts.agents : texts.settings} />
        <Tabs
          label={texts.settings}
          className={classes(styles.pages, innerKinds.includes(place.kind) && styles.inner)}
          tabs={tabs
            .filter(({ mayOpen }) => mayOpen?.(me, house) ?? true)
            .map(({ title, path, kinds }) => ({ title, path, isCurrent: kinds.includes(place.kind) }))}
        />
        {me === undefined || house === undefined ? (
          <Fallback />
        ) : (
          <Settled key={"handle" in place ? `${place.kind} ${place.handle}` : place.kind}>
            <Content place={place} me={me} house={house} />
          </Settled>
        )}
      </div>
    </div>
  );
};

const useSettingsTitle = (place: Place): string => {
  const { agents, rooms } = useHouse();
  const pathHandle = "handle" in place ? place.handle : "";
  const agent = [...agents.values()].find(({ handle }) => handle === pathHandle)?.content.name;
  const room = rooms.find((entry) => entry.room.handle === pathHandle)?.room.content.name;
  return toVisible(titleOfPlace(place, (place.kind.startsWith("agent") ? agent : room) ?? pathHandle));
};

interface ContentProps {
  readonly place: Place;
  readonly me: Me;
  readonly house: HouseRecord;
}

const Content = ({ place, me, house }: ContentProps) => {
  const { agents, rooms } = useHouse();
  const ownRecord = agents.get(me.agent.id) ?? me.agent;
  const houseAgents = agentsOf(agents.values(), house.id);
  const isAdmin = may(me, "x", house);
  switch (place.kind) {
    case "general":
      return <GeneralPage key={house.id} me={ownRecord} house={house} isAdmin={isAdmin} />;
    case "account":
      return <AccountPage me={ownRecord} />;
    case "notifications":
      return <NotificationsPage />;
    case "keys":
      return <KeysPage />;
    case "agents":
      return <AgentsPage agents={houseAgents} house={house} />;
    case "new-agent":
      return isAdmin ? <NewAgentPage house={house} /> : <AdminsOnly />;
    case "import":
      return mayAdministerHome(me) && isAdmin ? <ImportPage key={house.id} agents={houseAgents} /> : <AdminsOnly />;
    case "agent":
      return (
        <AgentLoader handle={place.handle} page={place.tab} notFoundView={<Missing />}>
          {(agent, onChange) =>
            tabsOf(agent, me).includes(place.tab) ? (
              <AgentPage key={agent.id} agent={agent} tab={place.tab} onChange={onChange} />
            ) : (
              <AdminsOnly />
            )
          }
        </AgentLoader>
      );
    case "agent-inside":
      return (
        <AgentLoader handle={place.handle} page="inside" notFoundView={<Missing />}>
          {(agent) => (mayIn(me, "x", agent.house) ? <InsidePage key={agent.id} agent={agent} /> : <AdminsOnly />)}
        </AgentLoader>
      );
    case "members":
      return <MembersPage house={house} me={me} />;
    case "rooms":
      return <RoomsPage rooms={rooms} house={house} me={me} />;
    case "new-room":
      return may(me, "w", house) ? <NewRoomPage house={house} /> : <AdminsOnly />;
    case "room":
    case "room-activity":
      return <RoomContent kind={place.kind} handle={place.handle} me={me} />;
    case "web":
    case "audit":
      return <DutyContent kind={place.kind} me={me} house={house} agents={houseAgents} />;
    case "models":
    case "channels":
    case "new-channel":
    case "sandboxes":
    case "limits":
    case "backups":
    case "system":
      return <HomeContent kind={place.kind} me={me} agents={[...agents.values()]} />;
    case "nowhere":
      return <Missing />;
  }
};

interface RoomContentProps {
  readonly kind: "room" | "room-activity";
  readonly handle: string;
  readonly me: Me;
}

/** The pages of one room. */
const RoomContent = ({ kind, handle, me }: RoomContentProps) => {
  switch (kind) {
    case "room":
      return (
        <RoomLoader handle={handle} notFoundView={<Missing />}>
          {(room) => <RoomSettings key={room.id} room={room} me={me} />}
        </RoomLoader>
      );
    case "room-activity":
      return (
        <RoomLoader handle={handle} page="activity" notFoundView={<Missing />}>
          {(room) => <ActivityPage key={room.id} subject={room} />}
        </RoomLoader>
      );
  }
};

interface DutyContentProps {
  readonly kind: "web" | "audit";
  readonly me: Me;
  readonly house: HouseRecord;
  readonly agents: readonly AgentRecord[];
}

/** The pages of a house that a single right opens. */
const DutyContent = ({ kind, me, house, agents }: DutyContentProps) => {
  switch (kind) {
    case "web":
      return mayManageSecrets(me, house) ? (
        <WebPage key={house.id} house={house} isAdmin={may(me, "x", house)} agents={agents} />
      ) : (
        <AdminsOnly />
      );
    case "audit":
      return mayReadAudit(me, house) ? <AuditPage key={house.id} house={house} /> : <AdminsOnly />;
  }
};

interface HomeContentProps {
  readonly kind: "models" | "channels" | "new-channel" | "sandboxes" | "limits" | "backups" | "system";
  readonly me: Me;
  readonly agents: readonly AgentRecord[];
}

/** The pages about the whole installation. */
const HomeContent = ({ kind, me, agents }: HomeContentProps) => {
  switch (kind) {
    case "models":
      return mayManageProviders(me) ? <ModelsPage agents={agents} /> : <AdminsOnly />;
    case "channels":
      return mayAdministerHome(me) ? <ChannelsPage home={me.home} /> : <AdminsOnly />;
    case "new-channel":
      return mayAdministerHome(me) ? <NewChannelPage home={me.home} /> : <AdminsOnly />;
    case "sandboxes":
      return mayAdministerHome(me) ? <SandboxesPage /> : <AdminsOnly />;
    case "limits":
      return <LimitsPage isAdmin={mayAdministerHome(me)} />;
    case "backups":
      return mayAdministerHome(me) ? <BackupsPage /> : <AdminsOnly />;
    case "system":
      return mayAdministerHome(me) ? <SystemPage version={me.version} /> : <AdminsOnly />;
  }
};

const Missing = () => (
  <p>
    {texts.pageNotFound} <Link href={paths.agents}>{texts.viewAgents}</Link>
  </p>
);

/** Shown for a link to a page that the current user may not open. */
const AdminsOnly = () => <p>{texts.onlyAdmins}</p>;
