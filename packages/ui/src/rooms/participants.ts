/** Participants of a room and their models. Pure. */
import { type AgentId, type AgentRecord, DEFAULT_MODEL, type RoomRecord } from "@hearth/protocol";
import { compareNames } from "../language/locale.ts";
import * as texts from "./text.ts";

export type Agents = ReadonlyMap<string, AgentRecord>;

/**
 * Returns the agents of a room, sorted by name. A group room without a member list includes all
 * agents of its house.
 */
export const botsOf = (room: RoomRecord, agents: Agents): readonly AgentRecord[] =>
  membersOf(room, agents).filter((agent) => agent.content.kind === "bot");

/** Returns the people of a room except the user, sorted by name. */
export const otherPeopleOf = (room: RoomRecord, agents: Agents, me: AgentId | undefined): readonly AgentRecord[] =>
  membersOf(room, agents).filter((agent) => agent.content.kind === "human" && agent.id !== me);

/** Returns the agent of a direct room. It receives every message. */
export const partnerOf = (room: RoomRecord, agents: Agents): AgentRecord | undefined =>
  room.content.kind === "direct" ? botsOf(room, agents)[0] : undefined;

/** Whether the agent uses the built-in offline helper instead of a language model. */
export const isOffline = ({ content }: AgentRecord): boolean =>
  content.kind === "bot" &&
  content.runs !== "elsewhere" &&
  (content.model ?? DEFAULT_MODEL).split("/")[0] === DEFAULT_MODEL.split("/")[0];

/** Returns the name of the model without its provider. */
export const nameModel = (agent: AgentRecord): string => {
  if (agent.content.runs === "elsewhere") return texts.runsElsewhere;
  if (isOffline(agent)) return texts.offlineModel;
  const model = agent.content.model ?? DEFAULT_MODEL;
  return model.slice(model.indexOf("/") + 1);
};

/** Returns the settings path of an agent. */
export const settingsOf = ({ handle }: AgentRecord): string => `/settings/agents/${encodeURIComponent(handle)}`;

/** Returns the settings path of a room. */
export const roomSettingsOf = ({ handle }: RoomRecord): string => `/settings/rooms/${encodeURIComponent(handle)}`;

/**
 * Returns suggested first messages, which fill the composer. The user completes those that end with
 * a space.
 */
export const suggestionsFor = (agent: AgentRecord): readonly string[] =>
  isOffline(agent)
    ? texts.offlineSuggestions
    : [texts.askForAbilities, texts.askToRemember, texts.askForPlan, texts.askForFiles];

/**
 * Returns all participants, sorted by name. Without a member list, these are all members of the
 * room's house.
 */
export const membersOf = ({ house, content: { members } }: RoomRecord, agents: Agents): readonly AgentRecord[] => {
  const roomMembers = [...agents.values()].filter((agent) =>
    members === undefined ? agent.house === house : members.includes(agent.id),
  );
  return roomMembers.toSorted((a, b) => compareNames(a.content.name, b.content.name));
};
