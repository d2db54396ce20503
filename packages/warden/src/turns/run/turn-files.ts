/**
 * Tracks the files that a turn may show to its model, and those that its reply may cite: the files of
 * the messages that it reads, and of its tool results. The cell sees only references to files, and
 * cannot add one.
 */
import type { Blobs, Write } from "../../kernel/index.ts";
import type { SizedPictures } from "../../agents/index.ts";
import type { ReadFile, ScalePart } from "../../models/index.ts";
import { detectMedia } from "../../people/lazy.ts";
import type { Uploads } from "../../people/index.ts";
import {
  type ActivationId,
  type CitableFile,
  type Citation,
  citationNote,
  citationsIn,
  type FilePart,
  filesOf,
  HearthError,
  type Image,
  INBOX,
  isHearthError,
  type ModelMessage,
  type Part,
  PLACE_LINES,
  type RoomId,
  sentImageType,
  type ToolCall,
} from "@hearth/protocol";
import type { ToolDeclaration } from "@hearth/protocol/tools";
import type { OpenFile } from "./turn-inbox.ts";

export interface TurnFiles {
  /**
   * Records the files of the next tool result, and those that it lets the reply cite. Every result is
   * recorded, in order.
   */
  addResult(parts?: Part[], cites?: readonly CitableFile[]): void;
  /** Records the files of messages that were added to the turn after its start. */
  addMessages(messages: readonly ModelMessage[]): void;
  /**
   * Adds the files of tool results to a conversation from the cell. Throws `cell.protocol` for a
   * file that the turn was not given.
   */
  attach(messages: readonly ModelMessage[]): readonly ModelMessage[];
  /** Returns the citations of a reply. Ignores links to files that the turn was not given. */
  citationsIn(reply: string): Citation[];
}

export const createTurnFiles = (room: RoomId, history: readonly ModelMessage[]): TurnFiles => {
  const inputMessages = new Set(history);
  const knownFiles = new Set<string>();
  const results: (Part[] | undefined)[] = [];
  const citable: CitableFile[] = [];

  const addMessages = (messages: readonly ModelMessage[]): void => {
    for (const { parts } of messages.filter((message) => message.role !== "assistant")) {
      for (const part of parts ?? []) if (part.kind !== "text") knownFiles.add(keyOf(part));
      for (const { upload: file, name, hash } of filesOf(parts))
        if (file !== undefined) citable.push({ room, file, name, hash });
    }
  };
  addMessages(history);

  const withResult = (message: Extract<ModelMessage, { role: "tool" }>, parts: Part[] | undefined): ModelMessage => {
    const { parts: _, ...otherFields } = message;
    return parts === undefined ? otherFields : { ...otherFields, parts };
  };

  return {
    addMessages,
    addResult(parts, cites = []) {
      results.push(parts);
      citable.push(...cites);
    },
    citationsIn: (reply) => citationsIn(reply, citable),
    attach(messages) {
      let resultIndex = 0;
      return messages.map((message) => {
        if (inputMessages.has(message) || message.role === "assistant") return message;
        if (message.role === "tool") return withResult(message, results[resultIndex++]);
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

/** Returns rows that refer to the blobs of a step's files, so that the blobs are kept as long as the step. */
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

/**
 * If a tool call in the cell read a file of a message, adds a note to the result that says how the
 * reply cites a part of that file. A result without marked parts stays unchanged.
 */
export type AddCitation = (
  run: { readonly tool: Pick<ToolDeclaration, "workspace">; readonly call: Pick<ToolCall, "input"> },
  result: { readonly text: string; readonly failed: boolean },
) => Promise<{ readonly text: string; readonly cites?: CitableFile[] }>;

export const createAddCitation =
  ({ room, uploads }: { readonly room: RoomId; readonly uploads: Pick<Uploads, "find" | "open"> }): AddCitation =>
  async ({ tool, call }, { text, failed }) => {
    const { path } = call.input;
    const names = typeof path === "string" ? path.split("/").filter((name) => name !== "" && name !== ".") : [];
    const isReceived = tool.workspace === "reads" && names[0] === INBOX;
    if (failed || !isReceived || text.search(PLACE_LINES) < 0) return { text };
    const file = await uploads.find(room, names.join("/"));
    if (file === undefined) return { text };
    try {
      const { name, hash } = (await uploads.open(room, file)).attachment;
      return { text: `${text}\n${citationNote({ name, hash }, text) ?? ""}`, cites: [{ room, file, name, hash }] };
    } catch (error) {
      // The message was deleted meanwhile.
      if (isHearthError(error, "attachment.not-found")) return { text };
      throw error;
    }
  };

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
      const { attachment, slice } = await uploads.open(room, upload);
      return attachment.hash === hash ? await slice(0, attachment.sizeBytes) : undefined;
    } catch (error) {
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "store.damaged")) return undefined;
      throw error;
    }
  };

/** Opens files of messages, piece by piece. Finds only attachments of this room. */
export const createOpenFile =
  ({ room, uploads }: { readonly room: RoomId; readonly uploads: Pick<Uploads, "open"> }): OpenFile =>
  async ({ upload, hash }) => {
    if (upload === undefined) return undefined;
    try {
      const { attachment, read } = await uploads.open(room, upload);
      return attachment.hash === hash ? read(0, attachment.sizeBytes) : undefined;
    } catch (error) {
      if (isHearthError(error, "attachment.not-found")) return undefined;
      throw error;
    }
  };

/** Scales pictures of messages down. Finds only attachments of this room. */
export const createScalePart =
  ({ room, pictures }: { readonly room: RoomId; readonly pictures: Pick<SizedPictures, "show"> }): ScalePart =>
  async ({ upload }, limits) => {
    if (upload === undefined) return undefined;
    try {
      const picture = await pictures.show(room, upload, limits);
      if (picture.kind === "refused") return { why: picture.why };
      const { type, width, height, bytes } = picture;
      return { type, width, height, bytes };
    } catch (error) {
      if (isHearthError(error, "attachment.not-found") || isHearthError(error, "store.damaged")) return undefined;
      throw error;
    }
  };
