/** Participants of a room and their models. Pure. */
import { type AgentId, type AgentRecord, DEFAULT_MODEL, type RoomRecord } from "@hearth/protocol";
import * as texts from "./text.ts";

export type Agents = ReadonlyMap<string, AgentRecord>;

/** The agents of a room, by name. A group room without a member list is open to all. */
export const botsOf = (room: RoomRecord, agents: Agents): readonly AgentRecord[] =>
  membersOf(room, agents).filter((agent) => agent.content.kind === "bot");

/** The other people, by name. */
export const othersOf = (room: RoomRecord, agents: Agents, me: AgentId | undefined): readonly AgentRecord[] =>
  membersOf(room, agents).filter((agent) => agent.content.kind === "human" && agent.id !== me);

/** The agent of a direct room, which receives every message. */
export const partnerOf = (room: RoomRecord, agents: Agents): AgentRecord | undefined =>
  room.content.kind === "direct" ? botsOf(room, agents)[0] : undefined;

/** Whether the agent uses the built-in offline helper instead of a language model. */
export const isOffline = ({ content }: AgentRecord): boolean =>
  content.kind === "bot" &&
  content.runs !== "elsewhere" &&
  (content.model ?? DEFAULT_MODEL).split("/")[0] === DEFAULT_MODEL.split("/")[0];

/** The name of the model without its provider. */
export const nameModel = (agent: AgentRecord): string => {
  if (agent.content.runs === "elsewhere") return texts.runsElsewhere;
  if (isOffline(agent)) return texts.offlineModel;
  const model = agent.content.model ?? DEFAULT_MODEL;
  return model.slice(model.indexOf("/") + 1);
};

/** Settings path of an agent. */
export const settingsOf = ({ handle }: AgentRecord): string => `/settings/agents/${encodeURIComponent(handle)}`;

/** Settings path of a room. */
export const roomSettingsOf = ({ handle }: RoomRecord): string => `/settings/rooms/${encodeURIComponent(handle)}`;

/** Suggested first messages. They fill the composer without being sent. */
export const suggestionsFor = (agent: AgentRecord): readonly string[] =>
  isOffline(agent)
    ? texts.offlineSuggestions
    : [texts.askForAbilities, texts.askToRemember, texts.askForPlan, texts.askForFiles];

/** All participants, by name; without a member list, everyone in the room's house. */
export const membersOf = ({ house, content: { members } }: RoomRecord, agents: Agents): readonly AgentRecord[] => {
  const chosen = [...agents.values()].filter((agent) =>
    members === undefined ? agent.house === house : members.includes(agent.id),
  );
  return chosen.toSorted((a, b) => a.content.name.localeCompare(b.content.name));
};
