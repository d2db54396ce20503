/** Whom a message may wake: the bots that may speak in its room, and what in the message calls each of them. */
import type { Records } from "../../people/index.ts";
import type { AgentRecord, MessageEvent, RoomRecord, Stored, Trigger } from "@hearth/protocol";
import { DEFAULT_TRIGGER_MODE, HEARTBEAT, saysNew } from "@hearth/protocol";
import { wakesAlways } from "./admission.ts";

/** Whether the agent may speak in the room. Asked anew for every message: a level may have been given or taken meanwhile. */
export type MaySpeak = (agent: AgentRecord, room: RoomRecord) => Promise<boolean>;

export const botsIn = async (
  room: RoomRecord,
  records: Pick<Records, "list">,
  maySpeak: MaySpeak,
): Promise<readonly AgentRecord[]> => {
  // One that runs elsewhere reads the room by itself.
  const bots = (await records.list("agent")).filter(
    ({ content }) => content.kind === "bot" && content.runs !== "elsewhere",
  );
  const allowed = await Promise.all(bots.map((bot) => maySpeak(bot, room)));
  return bots.filter((_, index) => allowed[index]);
};

/** Why this message calls this bot, if it does. Nobody is called by their own words. */
export const triggerOf = (room: RoomRecord, message: Stored<MessageEvent>, agent: AgentRecord): Trigger | undefined => {
  if (agent.id === message.author) return undefined;
  // Nobody typed it: it is for the one whose job it is, and no command.
  if (message.job !== undefined) {
    if (!message.mentions.includes(agent.id)) return undefined;
    return message.job.name === HEARTBEAT ? "heartbeat" : "job";
  }
  if (saysNew(message.body.text)) return undefined;
  const { kind, admission = {} } = room.content;
  if (kind === "direct") return "direct";
  if (message.mentions.includes(agent.id)) return "mention";
  if (wakesAlways(admission, message.author)) return "wake";
  // Where a name is asked for, talk alone is nothing.
  const isHeard = admission.mentionRequired !== true;
  return isHeard && (agent.content.triggerMode ?? DEFAULT_TRIGGER_MODE) === "ambient" ? "ambient" : undefined;
};
