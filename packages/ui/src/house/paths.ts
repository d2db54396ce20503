/** Paths of UI pages that link to each other. */

/** The page that redirects to the start page of the user. */
export const HOME = "/";
/** The page of approvals and proposals that wait for a decision. */
export const INBOX = "/inbox";
/** The page of jobs, heartbeats and webhooks. */
export const AUTOMATIONS = "/automations";
/** Pairs of a former path and its present path. Old messages and bookmarks contain the former ones. */
export const MOVED_PATHS: readonly (readonly [string, string])[] = [
  ["/approvals", INBOX],
  ["/jobs", AUTOMATIONS],
];
/** The page with every component of the UI in every state, for developers. No page links to it. */
export const DESIGN = "/design";
/** The page that begins a chat with the first agent. It is a shortcut of the installed app. */
export const NEW_CHAT = "/new-chat";
/** The start page with the search open. It is a shortcut of the installed app. */
export const SEARCH = "/search";
/** The page where an administrator decides whether a restored house continues its work. */
export const RESTORE = "/restore";

/** The page of backups and disk space. */
export const BACKUPS = "/settings/backups";

/** The page of an invite link. The token of the invite is behind `#`. */
export const INVITE = "/invite";
/** The page for the login of another device. The code of the login is behind `#`. */
export const PAIR = "/pair";

export const roomPath = (handle: string): string => `/rooms/${encodeURIComponent(handle)}`;

/** Returns whether a decoded path is the path of the room with this handle. */
export const isPathOfRoom = (path: string, handle: string): boolean => path === `/rooms/${handle}`;

/** Returns the path of a room, shown at the message with this offset. */
export const messagePath = (handle: string, offset: number): string => `${roomPath(handle)}?message=${offset}`;

/** Path of a room, with the text of an attached document open at one of its parts. */
export const documentPath = (
  handle: string,
  { id, place }: { readonly id: string; readonly place?: string },
  offset?: number,
): string => {
  const placeParameter = place === undefined ? "" : `&place=${encodeURIComponent(place)}`;
  const messageParameter = offset === undefined ? "" : `&message=${offset}`;
  return `${roomPath(handle)}?file=${encodeURIComponent(id)}${placeParameter}${messageParameter}`;
};

/** Returns the path of an agent's brain. */
export const brainPath = (handle: string, part?: "history" | "memory" | "proposals" | "prompt" | "workspace"): string =>
  `/brain/${encodeURIComponent(handle)}${part === undefined ? "" : `/${part}`}`;

/** Returns the path of one run. */
export const runPath = (id: string): string => `/runs/${encodeURIComponent(id)}`;

/** Returns the path of one run, at a source that it read. */
export const sourcePath = (id: string, source: string): string => `${runPath(id)}#${sourceId(source)}`;

/** Returns the id of the HTML element of a source on the page of its run. */
export const sourceId = (source: string): string => `source-${encodeURIComponent(source)}`;

/** Returns the path of the automations of one agent, or of all. */
export const automationsPath = (handle?: string): string =>
  handle === undefined ? AUTOMATIONS : `${AUTOMATIONS}/${encodeURIComponent(handle)}`;
