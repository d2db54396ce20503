/** Finds logins of the current user on other devices that this browser has not shown yet. Pure. */
import type { SessionBegan, StoredEvent } from "@hearth/protocol";

export type Login = SessionBegan & { readonly offset: number };

export interface NewLogins {
  /** Newest first. */
  readonly logins: readonly Login[];
  /** The offset to store when the user dismisses these logins. */
  readonly throughOffset: number;
}

/**
 * `shownOffset`: the offset up to which this browser has shown logins. Undefined for a new browser, which
 * shows only logins after its own. `ownSession`: the session of this browser.
 */
export const findNewLogins = (
  events: readonly StoredEvent[],
  shownOffset: number | undefined,
  ownSession: string | undefined,
): NewLogins => {
  const allLogins = events.flatMap((event) => (event.type === "session-began" ? [event] : []));
  const ownOffset = allLogins.find(({ session }) => session === ownSession)?.offset;
  const afterOffset = shownOffset ?? ownOffset ?? allLogins.at(-1)?.offset ?? 0;
  const logins = allLogins.filter(({ offset, session }) => offset > afterOffset && session !== ownSession).toReversed();
  return { logins, throughOffset: Math.max(afterOffset, allLogins.at(-1)?.offset ?? 0) };
};
