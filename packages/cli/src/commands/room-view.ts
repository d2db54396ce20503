/** `hearth room pin`, `archive` and `rename`: changes the caller's list of rooms, and the titles of chats. */
import { type ChangeRoomView, type RoomRecord, titleOfRoom } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { UsageError } from "../args/usage-error.ts";
import { safeLine } from "../show/safe-text.ts";

/** Returns the name that people see for a room in a list. */
export const nameOfRoom = (room: RoomRecord): string => titleOfRoom(room) ?? "(new chat)";

const createViewCommand = (verb: string, summary: string, resultWord: string, change: ChangeRoomView) =>
  defineCommand({
    summary,
    needs: "r on the room",
    args: [{ name: "ROOM" }],
    flags: {},
    details: "Changes only your own list. Other members, messages and the search stay as they are.",
    examples: [`hearth room ${verb} den`],
    async run({ connect, json, output }, _flags, [name = ""]) {
      const client = await connect();
      const room = await client.rooms.get(name);
      const view = await client.rooms.setView(room.id, change);
      if (json) output.json(view);
      else output.line(`${resultWord} ${safeLine(nameOfRoom(room))}`);
      return exitCodes.done;
    },
  });

export const pin = createViewCommand("pin", "Pins a room in your list", "pinned", { pinned: true });
export const unpin = createViewCommand("unpin", "Unpins a room in your list", "unpinned", { pinned: false });
export const archive = createViewCommand("archive", "Removes a room from your list until its next event", "archived", {
  archived: true,
});
export const unarchive = createViewCommand("unarchive", "Returns an archived room to your list", "returned", {
  archived: false,
});

export const rename = defineCommand({
  summary: "Gives a chat a title",
  needs: "w on the room",
  args: [{ name: "ROOM" }, { name: "TITLE", optional: true }],
  flags: { clear: { kind: "switch", summary: "remove the title" } },
  details: "For direct rooms; their handle stays. For a group room: hearth room edit ROOM --name NAME",
  examples: ['hearth room rename main-2 "Trip to Rome"', "hearth room rename main-2 --clear"],
  async run({ connect, json, output }, { clear }, [name = "", title]) {
    if (clear === (title !== undefined)) throw new UsageError("Give either a TITLE or --clear.");
    const client = await connect();
    const { id } = await client.rooms.get(name);
    const room = await client.rooms.rename(id, title?.trim() ?? null);
    if (json) output.json(room);
    else output.line(`${safeLine(room.handle)} is now called ${safeLine(nameOfRoom(room))}`);
    return exitCodes.done;
  },
});
