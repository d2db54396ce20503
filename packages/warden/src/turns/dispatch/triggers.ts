/**
 * Determines which bots a message may wake: the bots that may speak in its room, and the trigger
 * for each.
 */
import { type Permissions, type Records, wakesAlways } from "../../people/index.ts";
import type { AgentRecord, MessageEvent, RoomRecord, Stored, Trigger } from "@hearth/protocol";
import { DEFAULT_TRIGGER_MODE, isHeartbeat, isNewCommand } from "@hearth/protocol";

/** Read for every message, because grants can change at any time. */
export const speakingBotsIn = async (
  room: RoomRecord,
  records: Pick<Records, "list">,
  permissions: Pick<Permissions, "writers">,
): Promise<readonly AgentRecord[]> => {
  const [agents, writers] = await Promise.all([records.list("agent"), permissions.writers(room)]);
  // An external bot reads the room itself.
  return agents.filter(({ id, content }) => writers.has(id) && content.kind === "bot" && content.runs !== "elsewhere");
};

/** The trigger by which this message wakes the bot, or undefined if it does not. A bot never wakes itself. */
export const triggerOf = (room: RoomRecord, message: Stored<MessageEvent>, agent: AgentRecord): Trigger | undefined => {
  if (agent.id === message.author) return undefined;
  // The scheduler wrote this message: it wakes only the agent of the job and is never a command.
  if (message.job !== undefined) {
    if (!message.mentions.includes(agent.id)) return undefined;
    return isHeartbeat(message.job) ? "heartbeat" : "job";
  }
  // The command `/new` starts a new session and is no message to the agent.
  if (isNewCommand(message.body.text)) return undefined;
  const { kind, admission = {} } = room.content;
  if (kind === "direct") return "direct";
  if (message.mentions.includes(agent.id)) return "mention";
  if (wakesAlways(admission, message.author)) return "wake";
  // In a room that requires mentions, ambient messages wake no agent.
  const allowsAmbient = admission.mentionRequired !== true;
  return allowsAmbient && (agent.content.triggerMode ?? DEFAULT_TRIGGER_MODE) === "ambient" ? "ambient" : undefined;
};
