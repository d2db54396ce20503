/** Screen reader announcements: one polite live region for the page. */
import type { Clock } from "@hearth/protocol";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { VisuallyHidden } from "./hidden.tsx";

/** The function that announces a text. It does nothing outside of an `Announcer`. */
const AnnounceContext = createContext<(text: string) => void>(() => {});

/**
 * How long an announcement stays: long enough to be read aloud. Older ones would be found when
 * reading the page.
 */
const ANNOUNCEMENT_MS = 10_000;

interface Announcements {
  readonly count: number;
  readonly texts: readonly { readonly id: number; readonly text: string }[];
}

export interface AnnouncerProps {
  readonly sleep: Clock["sleep"];
  readonly children: ReactNode;
}

export const Announcer = ({ sleep, children }: AnnouncerProps) => {
  const [announcements, setAnnouncements] = useState<Announcements>({ count: 0, texts: [] });
  const announce = useCallback(
    (text: string) => {
      setAnnouncements((before) => addAnnouncement(before, text));
      // Announcements expire in order, so the first one is the oldest.
      void sleep(ANNOUNCEMENT_MS).then(() => setAnnouncements(dropFirst));
    },
    [sleep],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <VisuallyHidden>
        <span role="status" aria-live="polite" aria-atomic="false">
          {announcements.texts.map(({ id, text }) => (
            <span key={id}>{text} </span>
          ))}
        </span>
      </VisuallyHidden>
    </AnnounceContext>
  );
};

export const addAnnouncement = ({ count, texts }: Announcements, text: string): Announcements => ({
  count: count + 1,
  texts: [...texts, { id: count, text }],
});

export const dropFirst = ({ count, texts }: Announcements): Announcements => ({ count, texts: texts.slice(1) });

export const useAnnounce = (): ((text: string) => void) => useContext(AnnounceContext);
