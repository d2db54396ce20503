/** Paths of UI pages that link to each other. */
/** Redirects to the start page of the user. */
export const HOME = "/";
/** Approvals and proposals that wait for a decision. */
export const INBOX = "/inbox";
/** Jobs, heartbeats and webhooks. */
export const AUTOMATIONS = "/automations";
/** Former paths, which old messages and bookmarks contain, each with its present path. */
export const MOVED: readonly (readonly [string, string])[] = [
  ["/approvals", INBOX],
  ["/jobs", AUTOMATIONS],
];
/** Every component of the UI in every state, for people who change it. No page links to it. */
export const DESIGN = "/design";
/** Begins a chat with the first agent: a shortcut of the installed app. */
export const NEW_CHAT = "/new-chat";
/** Opens the search above the start page: a shortcut of the installed app. */
export const SEARCH = "/search";
/** Decides whether a house that was restored from a copy continues its work. */
export const RESTORE = "/restore";

/** Backups and disk space of the house. */
export const BACKUPS = "/settings/backups";

/** The page of an invite link. Its token is behind `#`. */
export const INVITE = "/invite";
/** The page that logs another device of a person in. Its code is behind `#`. */
export const PAIR = "/pair";

export const roomPath = (handle: string): string => `/rooms/${encodeURIComponent(handle)}`;

/** Whether a decoded path is the path of the room with this handle. */
export const isAt = (here: string, handle: string): boolean => here === `/rooms/${handle}`;

/** Path of a room, shown at the message with this offset. */
export const messagePath = (handle: string, offset: number): string => `${roomPath(handle)}?message=${offset}`;

/** Path of a room, with the text of an attached document open at one of its parts. */
export const documentPath = (
  handle: string,
  { id, place }: { readonly id: string; readonly place?: string },
  offset?: number,
): string => {
  const at = place === undefined ? "" : `&place=${encodeURIComponent(place)}`;
  const message = offset === undefined ? "" : `&message=${offset}`;
  return `${roomPath(handle)}?file=${encodeURIComponent(id)}${at}${message}`;
};

/** Path of an agent's brain. */
export const brainPath = (handle: string, part?: "history" | "memory" | "proposals" | "prompt" | "workspace"): string =>
  `/brain/${encodeURIComponent(handle)}${part === undefined ? "" : `/${part}`}`;

/** Path of one run. */
export const runPath = (id: string): string => `/runs/${encodeURIComponent(id)}`;

/** Path of one run, at a source that it read. */
export const sourcePath = (id: string, source: string): string => `${runPath(id)}#${sourceId(source)}`;

/** The element of a source on the page of its run. */
export const sourceId = (source: string): string => `source-${encodeURIComponent(source)}`;

/** Path of the automations of one agent, or of all. */
export const automationsPath = (handle?: string): string =>
  handle === undefined ? AUTOMATIONS : `${AUTOMATIONS}/${encodeURIComponent(handle)}`;
