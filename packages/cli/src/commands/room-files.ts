/** `hearth room files`: lists the files of a room's messages and downloads them. */
import { resolve } from "node:path";
import type { Client } from "@hearth/client";
import { type Attachment, type RoomFile, type RoomId, showSize } from "@hearth/protocol";
import { saveDownload } from "../args/save-download.ts";
import { UsageError } from "../args/usage-error.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createNames } from "../show/names.ts";
import { safeLine } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";

export const files = defineCommand({
  summary: "Lists the files of a room, or downloads one",
  needs: "r on the room",
  args: [{ name: "ROOM" }, { name: "FILE", optional: true }],
  flags: { to: { kind: "text", value: "PATH", summary: "where to save it (default: its name, in this folder)" } },
  details: [
    "FILE is an id or a name; of several files with the same name, the newest is downloaded. Lists the newest 500 files, also those that agents sent.",
    "An existing file is never overwritten.",
  ].join("\n"),
  examples: ["hearth room files den", "hearth room files den --json"],
  async run({ connect, json, output, terminal }, { to }, [roomName = "", idOrName]) {
    if (to !== undefined && idOrName === undefined)
      throw new UsageError("--to needs a FILE.", "Name the file: hearth room files ROOM FILE --to PATH");
    const client = await connect();
    const room = await client.rooms.get(roomName);
    const roomFiles = await filesOf(client, room.id);
    if (idOrName === undefined) {
      if (json) output.json(roomFiles);
      else {
        const names = await createNames(client);
        output.table(
          ["FILE", "NAME", "TYPE", "SIZE", "FROM", "AT"],
          await Promise.all(
            roomFiles.map(async ({ id, name, type, sizeBytes, by, at }) => [
              id,
              name,
              type,
              showSize(sizeBytes),
              await names.get(by),
              localTime(at),
            ]),
          ),
          "No files. Send one: hearth chat --room ROOM --file PATH",
        );
      }
      return exitCodes.done;
    }
    const file = roomFiles.findLast(({ id, name }) => id === idOrName || name === idOrName);
    const path = resolve(terminal.cwd, to ?? nameFor(file, idOrName));
    const response = await (await client.uploads()).read(room.id, file?.id ?? idOrName);
    const sizeBytes = await saveDownload(response, path);
    if (json) output.json({ path, sizeBytes });
    else output.line(`Saved ${safeLine(path)}, ${showSize(sizeBytes)}.`);
    return exitCodes.done;
  },
});

/** Returns the newest files of a room, oldest first. Leaves out files of deleted messages. */
export const filesOf = async (client: Client, room: RoomId): Promise<readonly RoomFile[]> =>
  (await (await client.uploads()).list(room)).files.toReversed();

/** Returns the name for a downloaded file. The house has removed paths from names. */
const nameFor = (file: Attachment | undefined, idOrName: string): string => {
  if (file !== undefined) return file.name;
  if (idOrName.startsWith("upl_")) return idOrName;
  throw new UsageError(`The room has no file ${JSON.stringify(idOrName)}.`, "List them: hearth room files ROOM");
};
