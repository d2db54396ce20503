/**
 * People send voice notes while daemons die, and the model of the agents reads transcripts only. The
 * checks: a note is not sent to the transcriber while its transcript is stored or being made, a
 * transcript is stored once and before a model reads it, every answer to a note read its transcript,
 * and a transcript ends with its message.
 */
import { type Fetch, filesOf, isAudioType, type ModelMessage } from "@hearth/protocol";
import type { Change, CommitResult, MemoryDisk, Row } from "@hearth/warden/memory-warden";
import type { Complain } from "./far-side.ts";
import type { Families } from "./families.ts";
import type { Life } from "./life.ts";

const VOICE_URL = "http://127.0.0.1:9";
export const VOICE_CONFIG = `[voice.transcribe]\nkind = "whisper"\nbase_url = "${VOICE_URL}"`;

/** Length of a note's header and its words. */
export const NOTE_BYTES = 64;
const HEADER_BYTES = 44;

/** A WAV file whose sound is the text that the transcriber hears. */
export const drawNote = (nth: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(NOTE_BYTES);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string): void => bytes.set(new TextEncoder().encode(text), at);
  write(0, "RIFF");
  view.setUint32(4, NOTE_BYTES - 8, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  // PCM, one channel, 8,000 bytes a second, one byte a sample.
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    view.setUint16(at, value, true);
  for (const at of [24, 28]) view.setUint32(at, 8000, true);
  write(36, "data");
  view.setUint32(40, NOTE_BYTES - HEADER_BYTES, true);
  write(HEADER_BYTES, `spoken note ${nth}`.padEnd(NOTE_BYTES - HEADER_BYTES));
  return bytes;
};

/** The words of the note in this audio. */
const wordsIn = (audio: string): string => /spoken note \d+/.exec(audio)?.[0] ?? "";

export interface VoiceWatch {
  /** The network of one daemon: a transcriber. */
  fetchOf(life: Life): Fetch;
  committed(change: Change, result: CommitResult): void;
  /** Called for every request to a model. */
  asked(messages: readonly ModelMessage[]): void;
}

export const createVoiceWatch = (options: {
  readonly disk: MemoryDisk;
  readonly complain: Complain;
  readonly isShared: boolean;
}): VoiceWatch => {
  const { disk, complain, isShared } = options;
  const { store } = disk;
  const stored = new Set<string>();

  /** Complains if the message has a note whose transcript is missing, in the request or on the disk. */
  const checkRead = async ({ text, parts = [] }: Extract<ModelMessage, { role: "user" }>): Promise<void> => {
    for (const part of parts)
      for (const { upload = "", type, name } of filesOf([part])) {
        if (!isAudioType(type)) continue;
        const attached = await store.select({ table: "attachments", where: { upload } });
        // A deleted message has no transcript, and a request that began before may be late.
        if (attached.length === 0) continue;
        const [row] = await store.select({ table: "transcripts", where: { upload } });
        const spoken = part.kind === "text" ? wordsIn(part.text) : "";
        if (spoken === "") complain("voice", `the model read ${text.slice(0, 40)} without the transcript of ${name}`);
        else if (row?.text !== spoken) complain("voice", `the model read "${spoken}" before it was stored`);
      }
  };

  return {
    fetchOf(life) {
      const running = new Set<string>();
      return async (_url, init) => {
        const file = init?.body instanceof FormData ? init.body.get("file") : undefined;
        const spoken = wordsIn(file instanceof Blob ? await file.text() : "");
        if (running.has(spoken)) complain("voice", `"${spoken}" was sent to the transcriber twice at once`);
        running.add(spoken);
        try {
          return await life.cross("transcriber.ask", async () => {
            const known = await store.select({ table: "transcripts", where: { text: spoken } });
            // Two daemons do not know of each other's calls.
            if (known.length > 0 && !isShared)
              complain("voice", `"${spoken}" was sent to the transcriber although its transcript was stored`);
            return Response.json({ text: spoken });
          });
        } finally {
          running.delete(spoken);
        }
      };
    },

    committed({ writes }, { kind }) {
      if (kind !== "committed") return;
      for (const write of writes) {
        if (write.kind !== "put" || write.table !== "transcripts") continue;
        const { upload } = write.row as Row<"transcripts">;
        if (stored.has(upload) && !isShared) complain("voice", `the transcript of ${upload} was stored twice`);
        stored.add(upload);
      }
    },

    asked(messages) {
      for (const message of messages) if (message.role === "user") void checkRead(message);
    },
  };
};

/** Faults have ended, and no turn runs. */
export const checkVoiceNotes = async ({
  disk: { store },
  families,
  complain,
}: {
  readonly disk: MemoryDisk;
  readonly families: Families;
  readonly complain: Complain;
}): Promise<void> => {
  if (!families.has("voice-notes")) return;
  const attachments = await store.select({ table: "attachments" });
  const transcripts = await store.select({ table: "transcripts" });
  for (const { upload } of transcripts)
    if (!attachments.some((attachment) => attachment.upload === upload))
      complain("voice", `the transcript of ${upload} outlived its message`);
  const replied = await store.select({ table: "activations", where: { state: "replied" } });
  for (const { event, upload } of attachments) {
    const [file] = await store.select({ table: "uploads", where: { id: upload } });
    if (file?.name !== NOTE_NAME || !replied.some(({ cause }) => cause === event)) continue;
    if (!transcripts.some((transcript) => transcript.upload === upload && wordsIn(transcript.text ?? "") !== ""))
      complain("voice", `${event} was answered, but the transcript of ${upload} is not stored`);
  }
};

export const NOTE_NAME = "note.wav";
