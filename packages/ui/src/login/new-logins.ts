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
 * `shown`: the offset up to which this browser has shown logins. Undefined for a new browser, which
 * shows only logins after its own. `own`: the session of this browser.
 */
export const findNewLogins = (
  events: readonly StoredEvent[],
  shown: number | undefined,
  own: string | undefined,
): NewLogins => {
  const all = events.flatMap((event) => (event.type === "session-began" ? [event] : []));
  const ownOffset = all.find(({ session }) => session === own)?.offset;
  const after = shown ?? ownOffset ?? all.at(-1)?.offset ?? 0;
  const logins = all.filter(({ offset, session }) => offset > after && session !== own).toReversed();
  return { logins, throughOffset: Math.max(after, all.at(-1)?.offset ?? 0) };
};
