/** `hearth room react` and `hearth room branch`: react to a message, and continue after it in a new chat. */
import { EventId, isEmoji } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { UsageError } from "../args/usage-error.ts";
import { safeLine } from "../show/safe-text.ts";

export const react = defineCommand({
  summary: "Adds your emoji to a message, or removes it",
  needs: "w on the room",
  args: [{ name: "ROOM" }, { name: "MESSAGE" }, { name: "EMOJI" }],
  flags: { remove: { kind: "switch", summary: "remove the emoji" } },
  details:
    "MESSAGE is an id: hearth room events ROOM --json. All members see the emoji with your name. It wakes no agent. An agent reads the emoji on its message together with the next message.",
  examples: [
    "hearth room react den evt_01k6rbx5m3e5t8q0v7w2y9zabc 👍",
    "hearth room react den evt_01k6rbx5m3e5t8q0v7w2y9zabc 👍 --remove",
  ],
  async run({ connect, json, output }, { remove }, [name = "", message = "", emoji = ""]) {
    const id = readMessageId(message);
    if (!isEmoji(emoji)) throw new UsageError("EMOJI is not one emoji.", "Give one, for example 👍");
    const client = await connect();
    const room = await client.rooms.get(name);
    const reaction = await client.rooms.reactTo(room.id, id, { emoji, isOn: !remove });
    if (json) output.json(reaction);
    else output.line(`${remove ? "removed" : "added"} ${emoji}`);
    return exitCodes.done;
  },
});

const readMessageId = (message: string): EventId => {
  const id = EventId.safeParse(message);
  if (id.success) return id.data;
  throw new UsageError("MESSAGE is not the id of a message.", "List ids: hearth room events ROOM --json");
};

export const branch = defineCommand({
  summary: "Begins a chat that continues after a message",
  needs: "w on the room",
  args: [{ name: "ROOM" }, { name: "MESSAGE" }],
  flags: {},
  details:
    "For chats with one agent. MESSAGE is an id: hearth room events ROOM --json. The new chat has the same two members and copies of the messages up to this one. To continue it: hearth chat --room HANDLE",
  examples: ["hearth room branch main evt_01k6rbx5m3e5t8q0v7w2y9zabc"],
  async run({ connect, json, output }, _flags, [name = "", message = ""]) {
    const id = readMessageId(message);
    const client = await connect();
    const room = await client.rooms.branch((await client.rooms.get(name)).id, id);
    if (json) output.json(room);
    else output.line(`Continue in ${safeLine(room.handle)}: hearth chat --room ${safeLine(room.handle)}`);
    return exitCodes.done;
  },
});
