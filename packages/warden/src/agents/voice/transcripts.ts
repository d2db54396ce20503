/**
 * Makes transcripts of attached audio. Each transcript is made once and stored before a turn uses
 * it, so that a resumed turn reads the same text. The cost counts against the limits of all agents
 * together.
 */
import { type Kernel, readJson, type Row, writeJson } from "../../kernel/index.ts";
import type { PreparedTranscription, Voice } from "../../models/index.ts";
import type { Uploads } from "../../people/index.ts";
import type { Policy } from "../../policy/index.ts";
import { createSingleFlight } from "../single-flight.ts";
import {
  type AgentId,
  type AttachedTranscript,
  type ErrorBody,
  HearthError,
  isHearthError,
  type RoomId,
  showSize,
  toErrorBody,
} from "@hearth/protocol";

/**
 * Contract, checked in transcripts.test.ts:
 * - audio is sent to the transcriber once, also for concurrent callers; `retry` sends it again after
 *   a failure
 * - a transcript exists only as long as a message of a room names the audio
 * - a failure is stored, so later turns do not repeat it
 */
export interface Transcripts {
  /** Returns the stored transcript, or undefined. Throws `attachment.not-found`. */
  find(room: RoomId, upload: string): Promise<AttachedTranscript | undefined>;
  /**
   * Returns the stored transcript or makes one. Returns undefined if transcription is off. Throws
   * `attachment.not-found`.
   */
  make(room: RoomId, upload: string, again?: "retry"): Promise<AttachedTranscript | undefined>;
  /**
   * Replaces the text. Throws `auth.denied` unless `by` sent the audio, `transcript.none`,
   * `attachment.not-found`.
   */
  edit(room: RoomId, upload: string, text: string, by: AgentId): Promise<AttachedTranscript>;
}

export interface TranscriptsOptions {
  readonly kernel: Pick<Kernel, "store" | "world" | "signal">;
  readonly uploads: Pick<Uploads, "open">;
  readonly voice: Pick<Voice, "transcription">;
  readonly admitHomeCost: Policy["admitHomeCost"];
}

/** Vendors accept at most 25 MB. */
const MAX_AUDIO_BYTES = 24 * 1024 * 1024;

export const createTranscripts = ({ kernel, uploads, voice, admitHomeCost }: TranscriptsOptions): Transcripts => {
  const { store, world, signal } = kernel;
  const singleFlight = createSingleFlight<AttachedTranscript>();

  const read = async (upload: string): Promise<AttachedTranscript | undefined> => {
    const [row] = await store.select({ table: "transcripts", where: { upload } });
    return row === undefined ? undefined : toTranscript(row);
  };

  /** Transcribes the audio. Throws the reason why it was not transcribed. */
  const transcribeWithinBudget = async (prepared: PreparedTranscription) => {
    const admission = await admitHomeCost({ costAtMost: prepared.maxCost, model: prepared.name, kind: "voice" });
    if (admission.kind === "stop")
      throw new HearthError(
        "budget.spent",
        admission.text,
        admission.hint === undefined ? {} : { hint: admission.hint },
      );
    try {
      const transcript = await prepared.run(signal);
      const { durationMs } = transcript;
      const cost =
        durationMs === undefined ? prepared.maxCost : Math.min(prepared.costOf(durationMs), prepared.maxCost);
      admission.settle(cost);
      return { transcript, cost };
    } finally {
      // A vendor may charge for audio even if it sends no answer.
      admission.settle(prepared.maxCost);
    }
  };

  const transcribe = async (room: RoomId, upload: string): Promise<AttachedTranscript | undefined> => {
    const file = await uploads.open(room, upload);
    const { attachment, house } = file;
    const at = world.clock.now();
    const row: Row<"transcripts"> = {
      upload: attachment.id,
      house,
      text: null,
      language: null,
      segments: null,
      source: "",
      cost: 0,
      error: null,
      edited_by: null,
      at,
    };
    let newRow: Row<"transcripts">;
    try {
      if (attachment.sizeBytes > MAX_AUDIO_BYTES) throw tooLargeError(attachment.sizeBytes);
      const prepared = await voice.transcription({
        bytes: await file.slice(0, attachment.sizeBytes),
        type: attachment.type,
        name: `audio.${extensionOf(attachment.type)}`,
      });
      if (prepared === undefined) return undefined;
      const { transcript, cost } = await transcribeWithinBudget(prepared);
      const { text, language = null, segments } = transcript;
      newRow = { ...row, text, language, segments: writeJson(segments), source: prepared.name, cost };
    } catch (error) {
      // The next turn after the restart transcribes it.
      if (!isHearthError(error) || error.code.startsWith("store.") || signal.aborted) throw error;
      newRow = { ...row, error: writeJson<ErrorBody>(toErrorBody(error)) };
    }
    await keep(room, newRow);
    return toTranscript(newRow);
  };

  /** Stores the transcript unless the message was deleted during the transcription. */
  const keep = async (room: RoomId, row: Row<"transcripts">): Promise<void> => {
    await store.commit({
      guards: [{ kind: "exists", table: "attachments", where: { room, upload: row.upload } }],
      writes: [{ kind: "put", table: "transcripts", row }],
    });
  };

  return {
    async find(room, upload) {
      await uploads.open(room, upload);
      return read(upload);
    },

    async make(room, upload, again) {
      await uploads.open(room, upload);
      return singleFlight(upload, {
        find: () => read(upload),
        make: () => transcribe(room, upload),
        isFailure: ({ text }) => text === undefined,
        retries: again === "retry",
      });
    },

    async edit(room, upload, text, by) {
      const { owner, attachment } = await uploads.open(room, upload);
      if (owner !== by)
        throw new HearthError("auth.denied", "Only the person who sent the audio can correct its transcript.");
      const { kind } = await store.commit({
        guards: [{ kind: "exists", table: "transcripts", where: { upload } }],
        writes: [
          {
            kind: "update",
            table: "transcripts",
            where: { upload: attachment.id },
            set: { text, segments: writeJson([]), error: null, edited_by: by },
          },
        ],
        by,
      });
      const editedTranscript = kind === "committed" ? await read(upload) : undefined;
      if (editedTranscript === undefined) throw noTranscriptError();
      return editedTranscript;
    },
  };
};

const toTranscript = (row: Row<"transcripts">): AttachedTranscript => ({
  ...(row.text === null ? {} : { text: row.text }),
  ...(row.language === null ? {} : { language: row.language }),
  segments: row.segments === null ? [] : [...readJson(row.segments)],
  source: row.source,
  ...(row.error === null ? {} : { error: readJson(row.error) }),
  ...(row.edited_by === null ? {} : { editedBy: row.edited_by }),
  at: row.at,
});

/**
 * Returns the extension of the type. Servers read the format from the extension, and the person's
 * name for the file is not sent.
 */
const extensionOf = (type: string): string => {
  const [, name = "bin"] = /^audio\/(?:x-|vnd\.)?([a-z0-9]+)/.exec(type) ?? [];
  return EXTENSIONS.get(name) ?? name;
};

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["mpeg", "mp3"],
  ["wave", "wav"],
  ["mp4", "m4a"],
]);

const noTranscriptError = (): HearthError =>
  new HearthError("transcript.none", "This audio has no transcript.", {
    hint: "A person who may write in the room can transcribe it.",
  });

const tooLargeError = (sizeBytes: number): HearthError =>
  new HearthError(
    "request.too-large",
    `The audio has ${showSize(sizeBytes)}, and at most ${showSize(MAX_AUDIO_BYTES)} are transcribed.`,
    { hint: "Send a shorter recording, or one in a compressed format." },
  );
