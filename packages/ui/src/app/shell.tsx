/** The frame of every page: side bar or menu button, banners and dialogs. */
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { IconButton } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { Dialog } from "../design/dialog.tsx";
import { ResumeBanner } from "../house/resume-banner.tsx";
import { findHold } from "../house/holds.ts";
import { useHasLasted } from "../house/lasting.ts";
import { BACKUPS, HOME, SEARCH } from "../house/paths.ts";
import { mayAdministerHome } from "../house/may.ts";
import { createLazyPart } from "../house/lazy-part.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import type { LoginAlertProps } from "../login/login-alert.tsx";
import { HoldBanner } from "../restore/hold-banner.tsx";
import { Boundary } from "./boundary.tsx";
import { ConnectionBanner } from "./connection.tsx";
import { Drawer } from "./drawer.tsx";
import type { NewRoomDialogProps } from "./new-room/new-room-dialog.tsx";
import type { SearchDialogProps } from "../search/search-dialog.tsx";
import { stepRoom } from "./places.ts";
import { groupRooms, flattenGroups } from "./room-groups.ts";
import styles from "./shell.module.css";
import { SideBar } from "./side-bar.tsx";
import { StopEverything, useCanStop } from "./stop-everything.tsx";
import * as texts from "./text.ts";

const LoginAlert = createLazyPart<LoginAlertProps>({
  load: async () => (await import("../login/login-alert.tsx")).LoginAlert,
  // A failed load is not reported, because the alert is less important than the page below it.
  Wrapper: () => undefined,
});
const NewRoomDialog = createLazyPart<NewRoomDialogProps>({
  load: async () => (await import("./new-room/new-room-dialog.tsx")).NewRoomDialog,
  Wrapper: ({ children, ...dialog }) => (
    <Dialog title={texts.newRoom} {...dialog}>
      {children}
    </Dialog>
  ),
});

const RoomNotices = createLazyPart({
  load: async () => (await import("../settings/notifications/room-notices-part.tsx")).RoomNotices,
  // Without it, only notifications are missing.
  Wrapper: () => undefined,
});

const SearchDialog = createLazyPart<SearchDialogProps>({
  load: async () => (await import("../search/search-dialog.tsx")).SearchDialog,
  Wrapper: ({ children, ...dialog }) => (
    <Dialog title={texts.searchHouse} {...dialog}>
      {children}
    </Dialog>
  ),
});

export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const { page } = useUi();
  const { rooms } = useHouse();
  const [path] = useLocation();
  const shell = useRef<HTMLDivElement>(null);
  const main = useRef<HTMLElement>(null);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isCreatingRoom, setCreatingRoom] = useState(false);
  /** Loaded on first use, then kept with its typed text. */
  const [hasOpenedRoomDialog, setOpenedRoomDialog] = useState(false);
  const closeDrawer = useCallback(() => setDrawerOpen(false), []);
  const lastPath = useRef(path);
  useEffect(() => {
    // The start page redirects, and a user may have opened the drawer before that.
    if (lastPath.current !== HOME) setDrawerOpen(false);
    lastPath.current = path;
  }, [path]);
  useRoomKeys(shell);
  const search = useSearchDialog(shell);
  const openSearch = (): void => {
    setDrawerOpen(false);
    search.open();
  };
  const openRoomDialog = (): void => {
    setDrawerOpen(false);
    setCreatingRoom(true);
    setOpenedRoomDialog(true);
  };
  const canStop = useCanStop();
  const isUnreadElsewhere = rooms.some(({ isUnread }) => isUnread);
  const hasDelayPassed = useHasLasted(true, LOAD_DELAY_MS);
  return (
    <div ref={shell} className={styles.shell}>
      <SkipLink main={main} />
      {hasDelayPassed ? <RoomNotices /> : undefined}
      <div className={styles.side}>
        <SideBar onNewRoom={openRoomDialog} onSearch={openSearch} onLeave={closeDrawer} />
      </div>
      <div className={classes(styles.page, canStop && styles.stoppable)}>
        <Banners hasLoaded={hasDelayPassed} />
        <header className={styles.corner}>
          <IconButton
            icon="menu"
            label={isUnreadElsewhere ? texts.menuWithNewMessages : texts.menu}
            aria-haspopup="dialog"
            onClick={() => setDrawerOpen(true)}
          />
          {isUnreadElsewhere ? <span className={styles.mark} /> : undefined}
          <StopEverything />
        </header>
        <main ref={main} id="main" tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
      <Drawer label={texts.menu} isOpen={isDrawerOpen} onClose={closeDrawer}>
        <SideBar onNewRoom={openRoomDialog} onSearch={openSearch} onLeave={closeDrawer} />
      </Drawer>
      {search.hasOpened ? (
        <Boundary place={path} reload={page.reload}>
          <SearchDialog isOpen={search.isOpen} onClose={search.close} />
        </Boundary>
      ) : undefined}
      {hasOpenedRoomDialog ? (
        <Boundary place={path} reload={page.reload}>
          <NewRoomDialog isOpen={isCreatingRoom} onClose={() => setCreatingRoom(false)} />
        </Boundary>
      ) : undefined}
    </div>
  );
};

/** Delay, so that the page loads first. */
const LOAD_DELAY_MS = 1000;

/** A link that moves the focus past the side bar to the page. */
const SkipLink = ({ main }: { readonly main: RefObject<HTMLElement | null> }) => (
  <a
    href="#main"
    className={styles.skip}
    onClick={(event) => {
      event.preventDefault();
      main.current?.focus();
    }}
  >
    {texts.skipToContent}
  </a>
);

/** Opens the next or the previous room when its keys are pressed. */
const useRoomKeys = (shell: RefObject<HTMLElement | null>): void => {
  const { rooms } = useHouse();
  const [path, navigate] = useLocation();
  useEffect(() => {
    const document = shell.current?.ownerDocument;
    const onKeyDown = (event: KeyboardEvent): void => {
      const steps = stepsOf(event);
      const nextPath = steps === undefined ? undefined : stepRoom(flattenGroups(groupRooms(rooms, path)), path, steps);
      if (nextPath === undefined) return;
      event.preventDefault();
      navigate(nextPath);
    };
    document?.addEventListener("keydown", onKeyDown);
    return () => document?.removeEventListener("keydown", onKeyDown);
  }, [shell, rooms, path, navigate]);
};

/** The search, which Ctrl+K or Cmd+K opens on every page. Loaded on first use, then kept. */
const useSearchDialog = (shell: RefObject<HTMLElement | null>) => {
  const [isOpen, setOpen] = useState(false);
  const [hasOpened, setOpened] = useState(false);
  const open = useCallback(() => {
    setOpen(true);
    setOpened(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  const [path] = useLocation();
  useEffect(() => {
    if (path === SEARCH) open();
  }, [path, open]);
  useEffect(() => {
    const document = shell.current?.ownerDocument;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isSearchKey(event)) return;
      event.preventDefault();
      // The search does not open while another dialog is open, because it would be behind that dialog.
      if (document?.querySelector("dialog[open]") === null) open();
    };
    document?.addEventListener("keydown", onKeyDown);
    return () => document?.removeEventListener("keydown", onKeyDown);
  }, [shell, open]);
  return { isOpen, hasOpened, open, close };
};

/** Notices about the whole house, or for the current user. */
const Banners = ({ hasLoaded }: { readonly hasLoaded: boolean }) => {
  const { me } = useHouse();
  return (
    <>
      <ConnectionBanner />
      <HoldBanner />
      {me === undefined || !hasLoaded ? undefined : <LoginAlert me={me} />}
      <StopBanner />
      <BackupBanner />
    </>
  );
};

/** Shown to admins of the first house when a backup is late or failed. */
const BackupBanner = () => {
  const { me } = useHouse();
  const [path, navigate] = useLocation();
  if (me?.needsBackup !== true || path === BACKUPS) return undefined;
  return (
    <ResumeBanner isWide label={texts.viewBackups} resume={async () => navigate(BACKUPS)}>
      {texts.backupsNeedAttention}
    </ResumeBanner>
  );
};

/** Shown while all agents are stopped. */
const StopBanner = () => {
  const { client } = useUi();
  const { holds, me } = useHouse();
  if (findHold(holds, "house") === undefined) return undefined;
  return (
    <ResumeBanner isWide label={texts.resumeAll} resume={mayAdministerHome(me) ? client.resumeAll : undefined}>
      {texts.allAgentsAreStopped}
    </ResumeBanner>
  );
};

type Keys = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

/** Whether the event is Ctrl+K or Cmd+K. */
export const isSearchKey = ({ key, altKey, ctrlKey, metaKey, shiftKey }: Keys): boolean =>
  key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey;

/** Returns the direction of Alt with an arrow key: 1 for down, -1 for up. */
export const stepsOf = ({ key, altKey, ctrlKey, metaKey, shiftKey }: Keys): 1 | -1 | undefined => {
  if (!altKey || ctrlKey || metaKey || shiftKey) return undefined;
  if (key === "ArrowDown") return 1;
  return key === "ArrowUp" ? -1 : undefined;
};
