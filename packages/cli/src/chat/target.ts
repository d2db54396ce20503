/** Whom a chat is with: the room, and which bots a message in it wakes. */
import type { Client } from "@hearth/client";
import {
  type AgentRecord,
  type RoomRecord,
  type StoredMessage,
  isForHouse,
  isHandle,
  nameToHandle,
  parseMentions,
  saysNew,
} from "@hearth/protocol";
import { defaultBot } from "../default-bot.ts";
import { safeLine } from "../safe-text.ts";
import { UsageError } from "../usage-error.ts";

export interface Target {
  readonly room: RoomRecord;
  /** Whom to address in a group room: a message that mentions nobody gets this mention. */
  readonly addressee?: AgentRecord;
  /** Bots of the room. */
  readonly bots: readonly AgentRecord[];
}

/** By agent: the direct room with it. By room: that room. By both: the agent, spoken to in that room. */
export const findTarget = async (
  client: Client,
  named: { agent?: string | undefined; room?: string | undefined },
): Promise<Target> => {
  const agents = await client.agents.list();
  if (named.room === undefined) {
    const agent = await findBot(client, agents, named.agent);
    return { room: await client.agents.room(agent.id), bots: [agent] };
  }
  const room = await client.rooms.get(named.room);
  const { members } = room.content;
  const bots = agents.filter(
    ({ id, house, content }) =>
      content.kind === "bot" && house === room.house && (members === undefined || members.includes(id)),
  );
  if (named.agent === undefined) return { room, bots };
  const addressee = await findBot(client, agents, named.agent);
  if (!bots.some(({ id }) => id === addressee.id)) {
    throw new UsageError(
      `${addressee.content.name} is not in the room "${room.content.name}".`,
      `Add it: hearth room edit ${room.handle} --members +${addressee.handle}`,
    );
  }
  return { room, bots, addressee };
};

/** What is for the house is the whole message, so it is addressed to nobody. */
export const addressed = ({ room, addressee }: Target, text: string): string =>
  addressee === undefined ||
  room.content.kind === "direct" ||
  isForHouse(text) ||
  parseMentions(text).includes(addressee.handle)
    ? text
    : `@${addressee.handle} ${text}`;

/** Whom the house wakes for this message. One that runs elsewhere wakes by itself, and nobody here knows when. */
export const wokenBy = ({ room, bots }: Target, message: StoredMessage): readonly AgentRecord[] =>
  bots.filter(
    ({ id, content }) =>
      content.runs !== "elsewhere" && (room.content.kind === "direct" || message.mentions.includes(id)),
  );

/** What the house makes of a message that is for itself. */
export const houseSays = (text: string): string => (saysNew(text) ? NEW_SESSION : STOPPING);

const STOPPING = "Whatever runs and waits in this room is stopped.";
const NEW_SESSION = "A new session: what was said before is not read any more.";

/** Why no reply comes for now. */
export const tellHeld = ({ content }: AgentRecord, until: string): string =>
  `${safeLine(content.name)} is stopped, and your message waits. It goes on with: ${until}`;

/** What to do in a room where a message woke nobody. */
export const howToWake = ({ room, bots }: Target): string => {
  const [first] = bots;
  if (room.content.kind === "direct" && first?.content.runs === "elsewhere")
    return `${safeLine(first.content.name)} runs elsewhere; what it answers will be in the room: hearth room events ${room.id} --follow`;
  return first === undefined
    ? `No bot is in this room. Add one: hearth room edit ${room.handle} --members +HANDLE`
    : `In a group room a bot answers when it is mentioned: @${first.handle}`;
};

const findBot = async (
  client: Client,
  agents: readonly AgentRecord[],
  named: string | undefined,
): Promise<AgentRecord> => {
  if (named !== undefined) {
    const name = named.replace(/^@/, "");
    const agent =
      agents.find(({ id, handle }) => id === name || handle === name) ??
      (await client.agents.get(isHandle(name) ? name : nameToHandle(name) || name));
    if (agent.content.kind === "bot") return agent;
    throw new UsageError(
      `${agent.content.name} is a person; a chat is with a bot, or in a room.`,
      "People are in rooms: hearth chat --room ROOM",
    );
  }
  return defaultBot(agents, { question: "Whom do you want to talk with?", before: "hearth chat" });
};
