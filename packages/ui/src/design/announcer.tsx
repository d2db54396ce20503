/**
 * Announcements: one polite live region for the page. Those that the page does not show elsewhere
 * are also visible for a moment.
 */
import { observe } from "@hearth/client";
import type { Clock } from "@hearth/protocol";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import styles from "./announcer.module.css";
import { IconButton } from "./button.tsx";
import { classes } from "./classes.ts";
import * as texts from "./text.ts";

/** `unseen`: the page shows the same already, so only screen readers get the text. */
export type Announce = (text: string, visibility?: "unseen") => void;

/** The function that announces a text. It does nothing outside of an `Announcer`. */
const AnnounceContext = createContext<Announce>(() => {});

/**
 * How long an announcement stays: long enough to be read aloud. Older ones would be found when
 * reading the page.
 */
const ANNOUNCEMENT_MS = 10_000;
/** How long an announcement is visible. The pointer or the focus on it stops the time. */
const VISIBLE_MS = 5000;
/** Maximum number of visible announcements. */
const MAX_VISIBLE = 3;

interface Announcement {
  readonly id: number;
  readonly text: string;
  readonly isVisible: boolean;
}

interface Announcements {
  readonly count: number;
  readonly texts: readonly Announcement[];
}

export interface AnnouncerProps {
  readonly sleep: Clock["sleep"];
  readonly children: ReactNode;
}

export const Announcer = ({ sleep, children }: AnnouncerProps) => {
  const [announcements, setAnnouncements] = useState<Announcements>({ count: 0, texts: [] });
  const announce = useCallback<Announce>(
    (text, visibility) => {
      setAnnouncements((state) => addAnnouncement(state, text, visibility !== "unseen"));
      // Announcements expire in order, so the first one is the oldest.
      observe(sleep(ANNOUNCEMENT_MS).then(() => setAnnouncements(dropFirst)));
    },
    [sleep],
  );
  const hide = useCallback(() => setAnnouncements(hideAll), []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <Toasts sleep={sleep} announcements={announcements} onHide={hide} />
    </AnnounceContext>
  );
};

interface ToastsProps {
  readonly sleep: Clock["sleep"];
  readonly announcements: Announcements;
  readonly onHide: () => void;
}

const Toasts = ({ sleep, announcements, onHide }: ToastsProps) => {
  const box = useRef<HTMLElement>(null);
  /** The element that had the focus before the button. */
  const previousFocus = useRef<HTMLElement>(undefined);
  const [isPaused, setPaused] = useState(false);
  const lastVisibleId = announcements.texts.findLast(({ isVisible }) => isVisible)?.id;
  useEffect(() => {
    if (lastVisibleId === undefined || isPaused) return undefined;
    const controller = new AbortController();
    observe(
      sleep(VISIBLE_MS, controller.signal).then(
        () => {
          if (!controller.signal.aborted) onHide();
        },
        () => {},
      ),
    );
    return () => controller.abort();
  }, [sleep, onHide, lastVisibleId, isPaused]);
  useEffect(() => raise(box.current), [lastVisibleId]);
  return (
    <section
      ref={box}
      popover="manual"
      aria-label={texts.announcements}
      className={classes(styles.box, lastVisibleId !== undefined && styles.visible)}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={({ relatedTarget }) => {
        previousFocus.current = (relatedTarget as HTMLElement | null) ?? undefined;
        setPaused(true);
      }}
      onBlur={() => setPaused(false)}
    >
      <span role="status" aria-live="polite" aria-atomic="false" className={styles.texts}>
        {announcements.texts.map(({ id, text, isVisible }) => (
          <span key={id} dir="auto" className={isVisible ? styles.text : styles.unseen}>
            {text}{" "}
          </span>
        ))}
      </span>
      {lastVisibleId === undefined ? undefined : (
        <IconButton
          icon="close"
          label={texts.dismiss}
          onClick={() => {
            setPaused(false);
            onHide();
            previousFocus.current?.focus();
          }}
        />
      )}
    </section>
  );
};

/**
 * Keeps the box above the page. A dialog that opened later would cover it, so it is shown again
 * while a dialog is open.
 */
const raise = (box: HTMLElement | null): void => {
  if (box === null) return;
  const isOpen = box.matches(":popover-open");
  if (isOpen && box.ownerDocument.querySelector("dialog[open]") === null) return;
  if (isOpen) box.hidePopover();
  box.showPopover();
};

export const addAnnouncement = (
  { count, texts: previousTexts }: Announcements,
  text: string,
  isVisible: boolean,
): Announcements => {
  const newTexts = [...previousTexts, { id: count, text, isVisible }];
  const visibleTexts = newTexts.filter((announcement) => announcement.isVisible).slice(-MAX_VISIBLE);
  return {
    count: count + 1,
    texts: newTexts.map((announcement) =>
      announcement.isVisible && !visibleTexts.includes(announcement)
        ? { ...announcement, isVisible: false }
        : announcement,
    ),
  };
};

export const dropFirst = ({ count, texts: previousTexts }: Announcements): Announcements => ({
  count,
  texts: previousTexts.slice(1),
});

export const hideAll = ({ count, texts: previousTexts }: Announcements): Announcements => ({
  count,
  texts: previousTexts.map((announcement) => ({ ...announcement, isVisible: false })),
});

export const useAnnounce = (): Announce => useContext(AnnounceContext);
