/** Speech: transcripts of attached audio, messages read aloud, and which replies are spoken. */
import { currentMessages, type Transcripts } from "../../agents/index.ts";
import { type EventId, HearthError, isHearthError, type RoomId, type StoredMessage, UploadId } from "@hearth/protocol";
import { voiceOperations } from "@hearth/protocol/operations";
import { requirePerson } from "../require-person.ts";
import { requireReady } from "../require-ready.ts";
import { downloadAnswer } from "../uploads/download-answer.ts";
import { type App, bind, type RouteOptions } from "./route.ts";
import type { DurableStreams } from "../../kernel/index.ts";

/** Number of events that are read at once. */
const EVENTS_PER_READ = 500;

export const voiceRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { streams } = areas.kernel;
  const { transcripts } = areas.agents;
  const { speeches } = areas.messaging;
  const { voiceChoices } = areas.people;

  const findPerson = async (principal: Parameters<typeof access.self>[0]) => {
    requirePerson(await access.self(principal), "spoken replies");
    return principal.agent;
  };

  bind(app, options, voiceOperations, {
    transcripts: async ({ principal, params, query }) => {
      const { id } = await access.find(principal, "room", params.room);
      const attachmentIds = [...new Set(query.attachments.split(","))];
      const existing = await Promise.all(
        attachmentIds.map((attachment) => findTranscript(transcripts, id, attachment)),
      );
      return existing.filter((transcript) => transcript !== undefined);
    },

    transcript: async ({ principal, params }) => {
      const { id } = await access.find(principal, "room", params.room);
      const transcript = await transcripts.find(id, params.attachment);
      if (transcript === undefined)
        throw new HearthError("transcript.none", "This audio has no transcript.", {
          hint: "A person who may write in the room can transcribe it.",
        });
      return transcript;
    },

    transcribe: async ({ principal, params }) => {
      await requireReady(areas.daemon.ready);
      const { id } = await access.find(principal, "room", params.room);
      const transcript = await transcripts.make(id, params.attachment, "retry");
      if (transcript === undefined) throw voiceOffError("transcribe audio", "transcribe");
      return transcript;
    },

    editTranscript: async ({ principal, params, body }) => {
      const { id } = await access.find(principal, "room", params.room);
      return transcripts.edit(id, params.attachment, body.text.trim(), principal.agent);
    },

    speech: async ({ principal, request, params }) => {
      await requireReady(areas.daemon.ready);
      const { id: room } = await access.find(principal, "room", params.room);
      const { id, body } = await findMessage(streams, room, params.message);
      const speech = await speeches.of(room, { id, text: body.text });
      if (speech === undefined) throw voiceOffError("speak", "speak");
      const { bytes, type, hash } = speech;
      return downloadAnswer(request, {
        version: hash,
        sizeBytes: bytes.length,
        type,
        name: type === "audio/wav" ? "message.wav" : "message.mp3",
        // An edit gives it another text.
        isImmutable: false,
        async *read(from, to) {
          yield bytes.subarray(from, to);
        },
      });
    },

    choices: async ({ principal }) => ({ replies: await voiceChoices.of(await findPerson(principal)) }),

    choose: async ({ principal, body }) => {
      const person = await findPerson(principal);
      await voiceChoices.choose(person, body.replies);
      return { replies: await voiceChoices.of(person) };
    },
  });
};

/** Returns the message as it is now. Throws `message.not-found`. */
const findMessage = async (streams: DurableStreams, room: RoomId, id: EventId): Promise<StoredMessage> => {
  const storedMessage = await streams.find(`room:${room}`, id);
  if (storedMessage?.type !== "message") throw messageNotFoundError();
  const head = await streams.head(`room:${room}`);
  let currentMessage = storedMessage;
  // An edit or a deletion may come any time after its message.
  for (let after = storedMessage.offset; after < head; after += EVENTS_PER_READ) {
    const page = await streams.read(`room:${room}`, after, Math.min(EVENTS_PER_READ, head - after));
    const { messages, removed } = currentMessages([currentMessage, ...page]);
    if (removed.has(id)) throw messageNotFoundError();
    currentMessage = messages.find((message) => message.id === id) ?? currentMessage;
  }
  return currentMessage;
};

/** Returns undefined if the attachment has no transcript, or if no message of the room names it. */
const findTranscript = async (transcripts: Transcripts, room: RoomId, name: string) => {
  const attachment = UploadId.safeParse(name);
  if (!attachment.success) return undefined;
  try {
    const transcript = await transcripts.find(room, attachment.data);
    return transcript === undefined ? undefined : { attachment: attachment.data, transcript };
  } catch (error) {
    if (isHearthError(error, "attachment.not-found")) return undefined;
    throw error;
  }
};

const messageNotFoundError = (): HearthError =>
  new HearthError("message.not-found", "The room has no such message, or it was deleted.");

const voiceOffError = (ability: string, key: string): HearthError =>
  new HearthError("voice.off", `This house does not ${ability}.`, {
    hint: `An administrator can set a provider in the settings, on the page Models, or with: hearth voice set ${key}`,
  });
