/**
 * Sends a message to another room as the agent, with the agent's rights there. The message is the
 * next step of the chain that woke the agent.
 */
import { createRoomName, findRoomByName } from "../../../people/index.ts";
import { type EventId, includesLevel, type RoomRecord } from "@hearth/protocol";
import type { HostCall } from "../call.ts";
import type { RoomParts } from "../parts.ts";
import { failedOutcome, type RunHostTool } from "../tool.ts";

export const sendMessage: RunHostTool<"send_message", RoomParts> = async ({ room: name, text }, call, parts) => {
  const { world, rooms } = parts;
  const room = await findRoom(name, call, parts);
  if (room === undefined) return failedOutcome(`There is no room ${JSON.stringify(name)} that you may write in.`);
  if (room.id === call.activation.room) return failedOutcome("You are in that room: your answer is posted there.");
  const { activation, agent, step, label } = call;
  const message = await rooms.compose(room, { text: call.toOutgoing(text.toWellFormed()) }, agent.id);
  // `activation` links the turns that the message wakes to this turn's chain.
  const event = {
    ...message,
    activation: activation.id,
    ...(label === undefined ? {} : { label }),
  };
  const id: EventId = world.ids.derive("evt", activation.id, String(step));
  return {
    text: `Said in ${await createRoomName(parts)(room)}.`,
    failed: false,
    sameCommit: {
      guards: [],
      writes: [],
      events: [{ stream: `room:${room.id}`, id, event }],
    },
  };
};

/** Finds the room of this name. A room in which the agent may not write counts as missing. */
const findRoom = async (
  name: string,
  { agent }: HostCall,
  { records, levelOf }: RoomParts,
): Promise<RoomRecord | undefined> => {
  const room = await findRoomByName(records, agent, name);
  if (room === undefined || !includesLevel(await levelOf({ agent: agent.id }, room.id), "w")) return undefined;
  return room;
};
