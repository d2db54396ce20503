/** Paths of the settings pages, and their tab titles. */
import { automationsPath, BACKUPS } from "../house/paths.ts";
import * as texts from "./text.ts";

const simplePages = [
  "general",
  "account",
  "notifications",
  "agents",
  "new-agent",
  "import",
  "members",
  "rooms",
  "new-room",
  "models",
  "web",
  "channels",
  "new-channel",
  "sandboxes",
  "limits",
  "backups",
  "audit",
  "keys",
  "system",
] as const;
type SimplePage = (typeof simplePages)[number];

/** The tabs of an agent's page. The path of the first tab does not name it. */
export const agentTabs = [
  "overview",
  "instructions",
  "tools",
  "memory",
  "automations",
  "budget",
  "activity",
  "advanced",
] as const;
export type AgentTab = (typeof agentTabs)[number];

export type Place =
  | { readonly kind: SimplePage }
  | { readonly kind: "agent"; readonly handle: string; readonly tab: AgentTab }
  | { readonly kind: "agent-inside" | "room" | "room-activity"; readonly handle: string }
  | { readonly kind: "nowhere" };

export const paths = {
  general: "/settings",
  account: "/settings/account",
  notifications: "/settings/notifications",
  agents: "/settings/agents",
  newAgent: "/settings/new-agent",
  import: "/settings/import",
  members: "/settings/members",
  rooms: "/settings/rooms",
  newRoom: "/settings/new-room",
  models: "/settings/models",
  web: "/settings/web",
  channels: "/settings/channels",
  newChannel: "/settings/new-channel",
  sandboxes: "/settings/sandboxes",
  limits: "/settings/limits",
  backups: BACKUPS,
  audit: "/settings/audit",
  keys: "/settings/keys",
  system: "/settings/system",
} as const;

export const pathOfAgent = (handle: string, page: AgentTab | "inside" = "overview"): string =>
  joinPath(paths.agents, handle, page === "overview" ? undefined : page);
/** Returns the path of the page about hosts and secrets, opened on an agent. */
export const pathOfWeb = (agent: string): string => `${paths.web}?agent=${encodeURIComponent(agent)}`;
export const pathOfRoom = (handle: string, page?: "activity"): string => joinPath(paths.rooms, handle, page);
/** Returns the path of the usage of one agent. */
export const pathOfUsage = (handle: string): string => `${paths.limits}?agent=${encodeURIComponent(handle)}`;
/** Id of the section about remote access on the page "System". */
export const REMOTE_ACCESS = "remote-access";
/** Returns the path of a room's conversation. */
export const pathOfConversation = (handle: string): string => `/rooms/${encodeURIComponent(handle)}`;

/** Returns the path of an agent's heartbeat settings. */
export const pathOfHeartbeat = (handle: string): string => `${automationsPath(handle)}/heartbeat`;

const joinPath = (path: string, handle: string, page: string | undefined): string =>
  [path, encodeURIComponent(handle), ...(page === undefined ? [] : [page])].join("/");

export const placeOf = (path: string): Place => {
  const [, , page = "general", handle = "", part = "", ...rest] = path.replace(/\/+$/, "").split("/");
  if (rest.length > 0) return { kind: "nowhere" };
  if (handle !== "") return placeWithin(page, decode(handle), part);
  const kind = simplePages.find((candidate) => candidate === page);
  return kind === undefined || path.endsWith("/general") ? { kind: "nowhere" } : { kind };
};

const placeWithin = (page: string, handle: string, part: string): Place => {
  if (page === "agents") {
    if (part === "inside") return { kind: "agent-inside", handle };
    const tab = agentTabs.find((candidate, index) => (index === 0 ? part === "" : candidate === part));
    if (tab !== undefined) return { kind: "agent", handle, tab };
  }
  if (page === "rooms") {
    if (part === "") return { kind: "room", handle };
    if (part === "activity") return { kind: "room-activity", handle };
  }
  return { kind: "nowhere" };
};

/** Returns the title of the browser tab. `name` is the agent or room of the page. */
export const titleOfPlace = (place: Place, name: string): string =>
  texts.tabTitle(
    place.kind === "agent" && place.tab !== "overview"
      ? texts.tabOfAgent(texts.agentTabs[place.tab], name)
      : titles[place.kind](name),
  );

const titles: Record<Place["kind"], (name: string) => string> = {
  general: () => texts.general,
  account: () => texts.account,
  notifications: () => texts.notifications,
  agents: () => texts.agents,
  "new-agent": () => texts.newAgent,
  import: () => texts.importAgent,
  agent: (name) => name,
  "agent-inside": texts.contextOf,
  members: () => texts.members,
  rooms: () => texts.rooms,
  "new-room": () => texts.newRoom,
  room: (name) => name,
  "room-activity": texts.activityIn,
  models: () => texts.models,
  web: () => texts.web,
  channels: () => texts.channels,
  "new-channel": () => texts.newChannel,
  sandboxes: () => texts.sandboxes,
  limits: () => texts.limits,
  backups: () => texts.backups,
  audit: () => texts.audit,
  keys: () => texts.apiKeys,
  system: () => texts.system,
  nowhere: () => texts.notFound,
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
