/** The side bar: rooms, pages and user menu. */
import type { RoomEntry } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { ChatMenu } from "../rooms/chats/chat-menu.tsx";
import { NewChat } from "../rooms/chats/new-chat.tsx";
import { Avatar } from "../design/avatar.tsx";
import { Button, IconButton } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { Select } from "../design/field.tsx";
import { VisuallyHidden } from "../design/hidden.tsx";
import { Icon, type IconName } from "../design/icon.tsx";
import { Mark } from "../design/mark.tsx";
import { holdOf } from "../house/holds.ts";
import { useHasLasted } from "../house/lasting.ts";
import { may, administersAnyHouse, mayApprove } from "../house/may.ts";
import { createLazyPart } from "../house/lazy-part.tsx";
import { AUTOMATIONS, HOME, INBOX, isPathOfRoom, roomPath } from "../house/paths.ts";
import { roomTitle } from "../house/room-title.ts";
import { type Theme, themes } from "../house/theme-setting.ts";
import { useTheme } from "../house/theme.ts";
import { Time } from "../house/time.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import { groupRooms } from "./room-groups.ts";
import styles from "./side-bar.module.css";
import { StopEverything } from "./stop-everything.tsx";
import * as texts from "./text.ts";

const SETTINGS = "/settings";
const AGENTS = "/settings/agents";
const ACCOUNT = "/settings/account";

/** The count is loaded later. If loading fails, the inbox shows the reason. */
const PendingCount = createLazyPart({
  load: async () => (await import("../approvals/pending-count.tsx")).PendingCount,
  Wrapper: () => undefined,
});

export interface SideBarProps {
  readonly onNewRoom: () => void;
  readonly onSearch: () => void;
  /** Called when the user follows a link, also to the current page. */
  readonly onLeave: () => void;
}

export const SideBar = ({ onNewRoom, onSearch, onLeave }: SideBarProps) => {
  const { page } = useUi();
  const { house, houses, me, rooms } = useHouse();
  const [currentPath] = useLocation();
  const groups = groupRooms(rooms, currentPath);
  return (
    <aside aria-label={texts.house} className={styles.side}>
      <div>
        <div className={styles.house}>
          <Mark />
          {houses.length > 1 ? <HouseChooser /> : <bdi>{toVisible(house?.content.name ?? "")}</bdi>}
        </div>
        <button
          type="button"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          className={classes(styles.room, styles.place, styles.search)}
          onClick={onSearch}
        >
          <span className={styles.sign}>
            <Icon name="search" />
          </span>
          <span className={styles.name}>{texts.searchHouse}</span>
          <kbd className={styles.keys} aria-hidden="true">
            {page.hasCommandKey() ? texts.searchKeys.command : texts.searchKeys.control}
          </kbd>
        </button>
        <NewChat className={styles.add} onOpen={onLeave} />
        <StopEverything isNamed className={styles.add} />
      </div>
      <nav aria-label={texts.chats} className={styles.rooms}>
        <RoomGroup title={texts.pinned} rooms={groups.pinned} />
        <RoomGroup title={texts.recent} rooms={groups.recent} />
        <RoomGroup title={texts.groups} rooms={groups.groups} />
        {may(me, "w", house) ? (
          <Button kind="quiet" icon="plus" className={styles.add} onClick={onNewRoom}>
            {texts.newRoom}
          </Button>
        ) : undefined}
        <Archived rooms={groups.archived} />
      </nav>
      <nav aria-label={texts.pages} className={styles.pages}>
        <PageLink to={AGENTS} icon="agents" title={texts.agents} />
        {administersAnyHouse(me) ? <PageLink to={AUTOMATIONS} icon="clock" title={texts.automations} /> : undefined}
        {mayApprove(me) ? <InboxLink /> : undefined}
        <PageLink to={SETTINGS} icon="settings" title={texts.settings} excludedPaths={[AGENTS, ACCOUNT]} />
      </nav>
      <div className={styles.foot}>
        <Link href={ACCOUNT} aria-current={markCurrent(currentPath, ACCOUNT)} className={styles.me}>
          <Avatar name={me?.agent.content.name ?? ""} kind="human" size="small" />
          <bdi className={styles.name}>{toVisible(me?.agent.content.name ?? "")}</bdi>
          <VisuallyHidden>{texts.account}</VisuallyHidden>
        </Link>
        <ThemeButton />
        <form method="post" action="/logout">
          <IconButton type="submit" icon="logout" label={texts.logOut} />
        </form>
      </div>
    </aside>
  );
};

/** Delay before the count is loaded, so that the page loads first. */
const LOAD_DELAY_MS = 1000;

const InboxLink = () => {
  const hasDelayPassed = useHasLasted(true, LOAD_DELAY_MS);
  return (
    <PageLink to={INBOX} icon="inbox" title={texts.inbox}>
      {hasDelayPassed ? <PendingCount /> : undefined}
    </PageLink>
  );
};

/** Marks the current page, or the section that contains it. */
const markCurrent = (currentPath: string, to: string): "page" | "true" | undefined =>
  currentPath === to ? "page" : currentPath.startsWith(`${to}/`) ? "true" : undefined;

interface PageLinkProps {
  readonly to: string;
  readonly icon: IconName;
  readonly title: string;
  /** Paths below `to` that have separate links in the side bar. */
  readonly excludedPaths?: readonly string[];
  readonly children?: ReactNode;
}

const PageLink = ({ to, icon, title, excludedPaths = [], children }: PageLinkProps) => {
  const [currentPath] = useLocation();
  const isExcluded = excludedPaths.some((path) => markCurrent(currentPath, path) !== undefined);
  const currentMark = isExcluded ? undefined : markCurrent(currentPath, to);
  return (
    <Link href={to} aria-current={currentMark} className={classes(styles.room, styles.place)}>
      <span className={styles.sign}>
        <Icon name={icon} />
      </span>
      <span className={styles.name}>{title}</span>
      {children}
    </Link>
  );
};

/** Switches houses. Hidden for users of one house. */
const HouseChooser = () => {
  const { house: reader } = useUi();
  const { house, houses } = useHouse();
  const [, navigate] = useLocation();
  const choose = (id: string): void => {
    const chosenHouse = houses.find((house) => house.id === id);
    if (chosenHouse === undefined) return;
    reader.choose(chosenHouse.id);
    navigate(HOME);
  };
  return (
    <Select
      aria-label={texts.house}
      className={styles.chooser}
      value={house?.id}
      onChange={(event) => choose(event.target.value)}
    >
      {houses.map(({ id, content }) => (
        <option key={id} value={id}>
          {toVisible(content.name)}
        </option>
      ))}
    </Select>
  );
};

interface RoomGroupProps {
  readonly title: string;
  readonly rooms: readonly RoomEntry[];
}

const RoomGroup = ({ title, rooms }: RoomGroupProps) =>
  rooms.length === 0 ? undefined : (
    <section aria-label={title}>
      <h2 className={styles.group}>{title}</h2>
      <RoomList rooms={rooms} />
    </section>
  );

/** The archived rooms, collapsed at first. */
const Archived = ({ rooms }: { readonly rooms: readonly RoomEntry[] }) =>
  rooms.length === 0 ? undefined : (
    <details>
      <summary className={styles.group}>{texts.archived(rooms.length)}</summary>
      <RoomList rooms={rooms} />
    </details>
  );

const RoomList = ({ rooms }: { readonly rooms: readonly RoomEntry[] }) => (
  <ul>
    {rooms.map((entry) => (
      <li key={entry.room.id} className={styles.entry}>
        <RoomLink entry={entry} />
        <ChatMenu entry={entry} className={styles.options} />
      </li>
    ))}
  </ul>
);

const RoomLink = ({ entry: { room, lastEventAt, isUnread } }: { readonly entry: RoomEntry }) => {
  const [currentPath] = useLocation();
  const { agents, me, holds } = useHouse();
  const { kind, members } = room.content;
  const partnerId = kind === "direct" ? members?.find((id) => id !== me?.agent.id) : undefined;
  const partner = partnerId === undefined ? undefined : agents.get(partnerId);
  return (
    <Link
      href={roomPath(room.handle)}
      aria-current={isPathOfRoom(currentPath, room.handle) ? "page" : undefined}
      className={classes(styles.room, isUnread && styles.unread)}
    >
      <RoomSign agent={partner} />
      <bdi className={styles.name}>{roomTitle(room)}</bdi>
      {isUnread ? (
        <span className={styles.mark}>
          <VisuallyHidden>{texts.newMessages}</VisuallyHidden>
        </span>
      ) : undefined}
      {partner !== undefined && holdOf(holds, partner.id) !== undefined ? (
        <span className={styles.at}>{texts.stopped}</span>
      ) : lastEventAt === undefined ? undefined : (
        <span className={styles.at}>
          <Time at={lastEventAt} style="age" />
        </span>
      )}
    </Link>
  );
};

/** The avatar of a direct room's agent, or an icon. */
const RoomSign = ({ agent }: { readonly agent: AgentRecord | undefined }) => {
  if (agent !== undefined) return <Avatar name={agent.content.name} kind={agent.content.kind} size="small" />;
  return (
    <span className={styles.sign}>
      <Icon name="room" />
    </span>
  );
};

const themeIcons = { system: "system", light: "sun", dark: "moon" } as const;

const ThemeButton = () => {
  const { theme, setTheme } = useTheme();
  const newTheme = chooseNextTheme(theme);
  const label = texts.themeButton(theme, newTheme);
  return <IconButton icon={themeIcons[theme]} label={label} onClick={() => setTheme(newTheme)} />;
};

export const chooseNextTheme = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
