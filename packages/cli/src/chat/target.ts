/** Finds the room of a chat and the bots that a message in it wakes. */
import type { Client } from "@hearth/client";
import {
  type AgentRecord,
  type RoomRecord,
  type StoredMessage,
  isForHouse,
  isHandle,
  nameToHandle,
  parseMentions,
  isNewCommand,
} from "@hearth/protocol";
import { findDefaultBot } from "../args/default-bot.ts";
import { safeLine } from "../show/safe-text.ts";
import { UsageError } from "../args/usage-error.ts";

export interface Target {
  readonly room: RoomRecord;
  /** In a group room, the agent whose mention is added to messages that do not mention it. */
  readonly addressee?: AgentRecord;
  /** Bots of the room. */
  readonly bots: readonly AgentRecord[];
}

/**
 * Finds the target of a chat. For an agent, it is its default direct room, or a new one. For a
 * room, it is that room. For both, it is the room, in which messages address the agent.
 */
export const findTarget = async (
  client: Client,
  request: { agent?: string | undefined; room?: string | undefined; isNew?: boolean },
): Promise<Target> => {
  const agents = await client.agents.list();
  if (request.room === undefined) {
    const agent = await findBot(client, agents, request.agent);
    const openRoom = request.isNew === true ? client.agents.newChat : client.agents.room;
    return { room: await openRoom(agent.id), bots: [agent] };
  }
  const room = await client.rooms.get(request.room);
  const { members } = room.content;
  const bots = agents.filter(
    ({ id, house, content }) =>
      content.kind === "bot" && house === room.house && (members === undefined || members.includes(id)),
  );
  if (request.agent === undefined) return { room, bots };
  const addressee = await findBot(client, agents, request.agent);
  if (!bots.some(({ id }) => id === addressee.id)) {
    throw new UsageError(
      `${addressee.content.name} is not in the room "${room.content.name}".`,
      `Add it: hearth room edit ${room.handle} --members +${addressee.handle}`,
    );
  }
  return { room, bots, addressee };
};

/**
 * Adds the addressee's mention. Commands for the house stay unchanged, because the house matches
 * the exact text.
 */
export const withMention = ({ room, addressee }: Target, text: string): string =>
  addressee === undefined ||
  room.content.kind === "direct" ||
  isForHouse(text) ||
  parseMentions(text).includes(addressee.handle)
    ? text
    : `@${addressee.handle} ${text}`;

/** Returns the bots that the house wakes for this message. The house wakes no agents that run elsewhere. */
export const botsWokenBy = ({ room, bots }: Target, message: StoredMessage): readonly AgentRecord[] =>
  bots.filter(
    ({ id, content }) =>
      content.runs !== "elsewhere" && (room.content.kind === "direct" || message.mentions.includes(id)),
  );

/** Describes the effect of a command for the house. */
export const describeCommandEffect = (text: string): string => (isNewCommand(text) ? NEW_SESSION : STOP_EFFECT);

const STOP_EFFECT = "All running and queued turns in this room are stopped.";
const NEW_SESSION = "A new session starts: agents no longer read earlier messages.";

/** Explains that the agent is stopped and how to resume it. */
export const describeHeld = ({ content }: AgentRecord, until: string): string =>
  `${safeLine(content.name)} is stopped, so your message is queued. To resume it: ${until}`;

/** Explains how to wake an agent in a room where a message woke no agent. */
export const describeHowToWake = ({ room, bots }: Target): string => {
  const [firstBot] = bots;
  if (room.content.kind === "direct" && firstBot?.content.runs === "elsewhere")
    return `${safeLine(firstBot.content.name)} runs elsewhere. Its reply will appear in the room. To follow it: hearth room events ${room.id} --follow`;
  return firstBot === undefined
    ? `No bot is in this room. Add one: hearth room edit ${room.handle} --members +HANDLE`
    : `In a group room a bot answers when it is mentioned: @${firstBot.handle}`;
};

const findBot = async (
  client: Client,
  agents: readonly AgentRecord[],
  agentName: string | undefined,
): Promise<AgentRecord> => {
  if (agentName !== undefined) {
    const name = agentName.replace(/^@/, "");
    const agent =
      agents.find(({ id, handle }) => id === name || handle === name) ??
      (await client.agents.get(isHandle(name) ? name : nameToHandle(name) || name));
    if (agent.content.kind === "bot") return agent;
    throw new UsageError(
      `${agent.content.name} is a person. Chat with a bot, or in a room.`,
      "To write to people, chat in a room: hearth chat --room ROOM",
    );
  }
  return findDefaultBot(agents, { question: "Several bots are possible.", hintPrefix: "hearth chat" });
};
