/** Who takes part in a room, and what they think with. Pure. */
import { type AgentId, type AgentRecord, DEFAULT_MODEL, type RoomRecord } from "@hearth/protocol";

export type Agents = ReadonlyMap<string, AgentRecord>;

/** The bots of a room, by name. A group room without a list is open to everyone. */
export const botsOf = (room: RoomRecord, agents: Agents): readonly AgentRecord[] =>
  membersOf(room, agents).filter((agent) => agent.content.kind === "bot");

/** The people beside the reader, by name. */
export const othersOf = (room: RoomRecord, agents: Agents, me: AgentId | undefined): readonly AgentRecord[] =>
  membersOf(room, agents).filter((agent) => agent.content.kind === "human" && agent.id !== me);

/** The bot that every message of a direct room wakes. */
export const partnerOf = (room: RoomRecord, agents: Agents): AgentRecord | undefined =>
  room.content.kind === "direct" ? botsOf(room, agents)[0] : undefined;

/** Whether it thinks with the built-in helper, which is no language model. */
export const isOffline = ({ content }: AgentRecord): boolean =>
  content.kind === "bot" &&
  content.runs !== "elsewhere" &&
  (content.model ?? DEFAULT_MODEL).split("/")[0] === DEFAULT_MODEL.split("/")[0];

/** The model's own name; which provider it comes from is for the settings. */
export const nameModel = (agent: AgentRecord): string => {
  if (agent.content.runs === "elsewhere") return "runs elsewhere";
  if (isOffline(agent)) return "offline helper";
  const model = agent.content.model ?? DEFAULT_MODEL;
  return model.slice(model.indexOf("/") + 1);
};

/** Where an agent is set up. */
export const settingsOf = ({ handle }: AgentRecord): string => `/settings/agents/${encodeURIComponent(handle)}`;

/** Where a room is set up, and who may do what there. */
export const roomSettingsOf = ({ handle }: RoomRecord): string => `/settings/rooms/${encodeURIComponent(handle)}`;

/** What a newcomer may say first. They fill the composer and are not sent. */
export const suggestionsFor = (agent: AgentRecord): readonly string[] =>
  isOffline(agent)
    ? ["remember that ", "what do you remember?", "list files", "help"]
    : ["What can you do for me?", "Remember that ", "Write down a plan for ", "What is in your workspace?"];

/** Everybody who takes part, by name: without a list those of the room's house. */
export const membersOf = ({ house, content: { members } }: RoomRecord, agents: Agents): readonly AgentRecord[] => {
  const chosen = [...agents.values()].filter((agent) =>
    members === undefined ? agent.house === house : members.includes(agent.id),
  );
  return chosen.toSorted((a, b) => a.content.name.localeCompare(b.content.name));
};
