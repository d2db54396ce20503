/**
 * Tracks the files that a turn may show to its model: those of the messages that it reads, and
 * those of its tool results. The cell sees only references to files, and cannot add one.
 */
import type { Blobs, Write } from "../../kernel/index.ts";
import type { ReadFile } from "../../models/index.ts";
import { detectMedia } from "../../people/lazy.ts";
import type { Uploads } from "../../people/index.ts";
import {
  type ActivationId,
  type FilePart,
  HearthError,
  type Image,
  isHearthError,
  type ModelMessage,
  type Part,
  type RoomId,
  sentImageType,
} from "@hearth/protocol";

export interface TurnFiles {
  /** Records the files of the next tool result. Every result is recorded, in order. */
  addResult(parts?: Part[]): void;
  /** Records the files of messages that were added to the turn after its start. */
  addMessages(messages: readonly ModelMessage[]): void;
  /**
   * Adds the files of tool results to a conversation from the cell. Throws `cell.protocol` for a
   * file that the turn was not given.
   */
  attach(messages: readonly ModelMessage[]): readonly ModelMessage[];
}

export const createTurnFiles = (history: readonly ModelMessage[]): TurnFiles => {
  const inputMessages = new Set(history);
  const knownFiles = new Set<string>();
  const results: (Part[] | undefined)[] = [];

  const addMessages = (messages: readonly ModelMessage[]): void => {
    for (const { parts } of messages.filter((message) => message.role !== "assistant"))
      for (const part of parts ?? []) if (part.kind !== "text") knownFiles.add(keyOf(part));
  };
  addMessages(history);

  const withResult = (message: Extract<ModelMessage, { role: "tool" }>, parts: Part[] | undefined): ModelMessage => {
    const { parts: _, ...bare } = message;
    return parts === undefined ? bare : { ...bare, parts };
  };

  return {
    addMessages,
    addResult: (parts) => void results.push(parts),
    attach(messages) {
      let next = 0;
      return messages.map((message) => {
        if (inputMessages.has(message) || message.role === "assistant") return message;
        if (message.role === "tool") return withResult(message, results[next++]);
        for (const part of message.parts ?? [])
          if (part.kind !== "text" && !knownFiles.has(keyOf(part)))
            throw new HearthError("cell.protocol", "The inmate's request names a file that its turn was not given.");
        return message;
      });
    },
  };
};

const keyOf = ({ hash, upload }: FilePart): string => `${hash} ${upload ?? ""}`;

/** Stores a picture that a tool returned. Returns undefined if no model accepts its type. */
export type StorePicture = (image: Image, tool: string) => Promise<FilePart | undefined>;

export const createStorePicture =
  ({ blobs }: { readonly blobs: Pick<Blobs, "put"> }): StorePicture =>
  async ({ data }, tool) => {
    const bytes = Uint8Array.fromBase64(data);
    if (bytes.length === 0) return undefined;
    const media = await detectMedia(bytes);
    if (sentImageType(media.type) === undefined) return undefined;
    return {
      ...media,
      kind: "image",
      name: `picture of ${tool}`,
      sizeBytes: bytes.length,
      hash: await blobs.put(bytes),
    };
  };

/** Rows that refer to the blobs of a step's files, so that they are kept as long as the step. */
export const filesOfStep = (activation: ActivationId, step: number, parts: readonly Part[] = []): readonly Write[] =>
  parts.flatMap((part) =>
    part.kind === "text"
      ? []
      : ({
          kind: "put",
          table: "step_files",
          row: { activation, step, blob: part.hash, size: part.sizeBytes },
        } as const),
  );

/** Reads the files of messages. Finds only attachments of this room. */
export const createReadFile =
  ({
    room,
    blobs,
    uploads,
  }: {
    readonly room: RoomId;
    readonly blobs: Pick<Blobs, "get">;
    readonly uploads: Pick<Uploads, "open">;
  }): ReadFile =>
  async ({ upload, hash }) => {
    try {
      if (upload === undefined) return await blobs.get(hash);
      const { attachment, read } = await uploads.open(room, upload);
      if (attachment.hash !== hash) return undefined;
      const bytes = new Uint8Array(attachment.sizeBytes);
      let at = 0;
      for await (const piece of read(0, attachment.sizeBytes)) {
        bytes.set(piece, at);
        at += piece.length;
      }
      return bytes;
    } catch (error) {
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "store.damaged")) return undefined;
      throw error;
    }
  };
