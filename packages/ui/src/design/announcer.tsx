/** Says things to those who listen: one polite place for the whole page, so that nothing talks over anything else. */
import type { Clock } from "@hearth/protocol";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Hidden } from "./hidden.tsx";

/** Outside of an `Announcer` nobody listens, and saying something is no mistake. */
const AnnounceContext = createContext<(text: string) => void>(() => {});

/** Long enough to be read out. After that whoever walks the page does not come upon what is no longer so. */
const KEPT_MS = 10_000;

interface Said {
  readonly count: number;
  readonly texts: readonly { readonly id: number; readonly text: string }[];
}

export interface AnnouncerProps {
  readonly sleep: Clock["sleep"];
  readonly children: ReactNode;
}

export const Announcer = ({ sleep, children }: AnnouncerProps) => {
  const [said, setSaid] = useState<Said>({ count: 0, texts: [] });
  const announce = useCallback(
    (text: string) => {
      setSaid((before) => addSaid(before, text));
      // In the order in which they were said, so the first that is left is the one.
      void sleep(KEPT_MS).then(() => setSaid(dropFirst));
    },
    [sleep],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <Hidden>
        <span role="status" aria-live="polite" aria-atomic="false">
          {said.texts.map(({ id, text }) => (
            <span key={id}>{text} </span>
          ))}
        </span>
      </Hidden>
    </AnnounceContext>
  );
};

export const addSaid = ({ count, texts }: Said, text: string): Said => ({
  count: count + 1,
  texts: [...texts, { id: count, text }],
});

export const dropFirst = ({ count, texts }: Said): Said => ({ count, texts: texts.slice(1) });

export const useAnnounce = (): ((text: string) => void) => useContext(AnnounceContext);
