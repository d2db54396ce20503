/**
 * `hearth room transcript` and `hearth room speech`: shows the text of attached audio, and saves
 * messages as audio.
 */
import { resolve } from "node:path";
import { type AttachedTranscript, isAudioType, showSize } from "@hearth/protocol";
import { copyDownload, saveDownload } from "../args/save-download.ts";
import { UsageError } from "../args/usage-error.ts";
import { defineCommand, type PrintContext } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { safeLine, safeText } from "../show/safe-text.ts";
import { filesOf } from "./room-files.ts";

const STDOUT = "-";
/** Maximum number of messages that are searched for the newest one of an agent. */
const MAX_EVENTS = 1000;

export const transcript = defineCommand({
  summary: "Shows the transcript of attached audio, makes it or corrects it",
  needs: "r on the room",
  args: [{ name: "ROOM" }, { name: "FILE", optional: true }],
  flags: {
    make: { kind: "switch", summary: "transcribe it, if it has no transcript or the last attempt failed" },
    edit: { kind: "text", value: "TEXT", summary: "replace the text" },
  },
  details:
    "FILE is an id or a name of the last 1000 events; without it, uses the newest audio. --make needs w on the room, and the provider may charge for it. --edit is for the person who sent the audio. To hear a recording, download it: hearth room files ROOM FILE",
  examples: ["hearth room transcript den", 'hearth room transcript den note.wav --edit "Water the beans."'],
  async run(context, { make, edit }, [roomName = "", idOrName]) {
    if (make && edit !== undefined) throw new UsageError("--make and --edit exclude each other.", "Give one of them.");
    const client = await context.connect();
    const room = await client.rooms.get(roomName);
    const audioFiles = (await filesOf(client, room.id)).filter(({ type }) => isAudioType(type));
    const file = audioFiles.findLast(({ id, name }) => idOrName === undefined || id === idOrName || name === idOrName);
    const id = file?.id ?? (idOrName?.startsWith("upl_") === true ? idOrName : undefined);
    if (id === undefined)
      throw new UsageError(
        idOrName === undefined ? "The room has no audio." : `The room has no audio ${JSON.stringify(idOrName)}.`,
        "List its files: hearth room files ROOM",
      );
    const calls = await client.voice();
    if (edit !== undefined) return printTranscript(context, await calls.editTranscript(room.id, id, { text: edit }));
    return printTranscript(context, await (make ? calls.transcribe(room.id, id) : calls.transcript(room.id, id)));
  },
});

const printTranscript = ({ json, output }: PrintContext, transcript: AttachedTranscript): ExitCode => {
  const { text, error } = transcript;
  if (json) output.json(transcript);
  else if (text !== undefined) output.line(text === "" ? "No speech was recognized." : safeText(text));
  else output.note(`It was not transcribed. ${safeLine(error?.message ?? "")}`);
  return text === undefined ? exitCodes.failed : exitCodes.done;
};

export const speech = defineCommand({
  summary: "Saves a message as audio, read aloud",
  needs: "r on the room",
  args: [{ name: "ROOM" }, { name: "MESSAGE", optional: true }],
  flags: { to: { kind: "text", value: "PATH", summary: "where to save it, `-` for stdout (required)" } },
  details:
    "MESSAGE is an id; without it, reads the newest message of an agent. The provider may charge for the first time. An existing file is never overwritten.",
  examples: ["hearth room speech den --to reply.mp3", "hearth room speech den --to - | mpv -"],
  async run({ connect, json, output, terminal }, { to }, [roomName = "", messageId]) {
    if (to === undefined) throw new UsageError("--to is missing.", "Name a file: hearth room speech ROOM --to PATH");
    if (to === STDOUT && (terminal.stdoutIsTerminal || json))
      throw new UsageError("Audio is not written to a terminal or as JSON.", "Redirect it: ... --to - > FILE");
    const client = await connect();
    const room = await client.rooms.get(roomName);
    const findNewestReply = async (): Promise<string | undefined> => {
      const { events } = await client.rooms.events(room.id, { before: "end", limit: MAX_EVENTS });
      const deletedIds = new Set(events.flatMap((event) => (event.type === "message-deleted" ? [event.message] : [])));
      return events.findLast(
        (event) => event.type === "message" && event.activation !== undefined && !deletedIds.has(event.id),
      )?.id;
    };
    const message = messageId ?? (await findNewestReply());
    if (message === undefined)
      throw new UsageError("The room has no message of an agent.", "Name a message: hearth room speech ROOM MESSAGE");
    const response = await (await client.voice()).speech(room.id, message);
    if (to === STDOUT) await copyDownload(response, terminal.outBytes);
    else {
      const path = resolve(terminal.cwd, to);
      const sizeBytes = await saveDownload(response, path);
      if (json) output.json({ path, sizeBytes });
      else output.line(`Saved ${safeLine(path)}, ${showSize(sizeBytes)}.`);
    }
    return exitCodes.done;
  },
});
