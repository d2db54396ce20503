/** The tables of uploads, of the attachments of messages, and of what models made of them. */
import type {
  AgentId,
  ErrorBody,
  EventId,
  HouseId,
  MediaFacts,
  RoomId,
  TranscriptSegment,
  UploadId,
  UploadState,
} from "@hearth/protocol";
import { integer, json, nullable, table, text } from "./table.ts";

export const uploadTables = {
  /** Files on their way into the house, and those that messages name. */
  uploads: table({
    columns: {
      id: text<UploadId>(),
      /** The house of its owner. */
      house: text<HouseId>(),
      /** The agent that uploads it. */
      owner: text<AgentId>(),
      name: text(),
      /** In bytes, as declared at its beginning. */
      size: integer(),
      /** Bytes that arrived. */
      offset: integer(),
      /** `open → complete → named`. A named one is `complete` again when its message is deleted. */
      state: text<UploadState>(),
      /** SHA-256 of what is stored. Null: it is open. */
      hash: nullable(text()),
      /** Size of what is stored. A picture without its metadata is smaller than its upload. */
      final_size: nullable(integer()),
      facts: nullable(json<MediaFacts>()),
      created_at: integer(),
      /** When it last grew, was completed, or lost its message. */
      changed_at: integer(),
    },
    key: ["id"],
    indexes: {
      uploads_unnamed: { on: ["changed_at"], where: { column: "state", is: "in", values: ["open", "complete"] } },
    },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** The bytes of uploads, one blob for each part. */
  upload_parts: table({
    columns: {
      upload: text<UploadId>(),
      /** The place of its first byte in the upload. */
      start: integer(),
      size: integer(),
      blob: text(),
      house: text<HouseId>(),
    },
    key: ["upload", "start"],
    indexes: {
      upload_parts_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** The texts of documents, for models that do not take the documents. */
  upload_texts: table({
    columns: {
      upload: text<UploadId>(),
      /** SHA-256 of the document. Uploads of one house with the same content share a conversion. */
      hash: text(),
      /** The result of the conversion as JSON. */
      blob: text(),
      house: text<HouseId>(),
    },
    key: ["upload"],
    indexes: {
      upload_texts_hash: { on: ["hash"] },
      upload_texts_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** Pictures that were scaled down, for pages and models. */
  upload_pictures: table({
    columns: {
      upload: text<UploadId>(),
      /** The limit of width and height, in pixels. */
      edge: integer(),
      /** SHA-256 of the whole picture. Uploads of one house with the same content share a scaled one. */
      hash: text(),
      blob: text(),
      size: integer(),
      type: text(),
      width: integer(),
      height: integer(),
      house: text<HouseId>(),
    },
    key: ["upload", "edge"],
    indexes: {
      upload_pictures_hash: { on: ["hash"] },
      upload_pictures_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** Totals of the uploads of each agent and each house. */
  upload_quotas: table({
    columns: {
      holder: text<AgentId | HouseId>(),
      /** Declared sizes of all its uploads. */
      bytes: integer(),
      /** Its uploads that are not complete. */
      open: integer(),
    },
    key: ["holder"],
    owner: "home",
    growsWith: "setup",
  }),
  /** Which messages name an upload. Only readers of the room may download it. */
  attachments: table({
    columns: {
      room: text<RoomId>(),
      upload: text<UploadId>(),
      event: text<EventId>(),
      /** The sender's text about the file. */
      caption: nullable(text()),
    },
    key: ["room", "upload", "event"],
    indexes: {
      attachments_upload: { on: ["upload"], fewRows: "Few messages name the same upload." },
      attachments_event: { on: ["event"], fewRows: "A message has at most MAX_ATTACHMENTS." },
    },
    owner: { by: "room", column: "room" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Speech of attached audio as text. Deleted with each message that names the upload. */
  transcripts: table({
    columns: {
      upload: text<UploadId>(),
      house: text<HouseId>(),
      /** Null: the transcription failed. */
      text: nullable(text()),
      language: nullable(text()),
      segments: nullable(json<readonly TranscriptSegment[]>()),
      /** Kind and model of the transcriber. */
      source: text(),
      /** Micro-dollars. */
      cost: integer(),
      error: nullable(json<ErrorBody>()),
      /** The person who corrected the text. */
      edited_by: nullable(text<AgentId>()),
      at: integer(),
    },
    key: ["upload"],
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** Descriptions of attached pictures. Deleted with each message that names the upload. */
  picture_descriptions: table({
    columns: {
      upload: text<UploadId>(),
      house: text<HouseId>(),
      /** SHA-256 of the picture. Uploads of one house with the same content share a description. */
      hash: text(),
      /** Null: the picture could not be described. */
      text: nullable(text()),
      /** The model that described it. */
      source: text(),
      /** Micro-dollars. */
      cost: integer(),
      error: nullable(json<ErrorBody>()),
      at: integer(),
    },
    key: ["upload"],
    indexes: { picture_descriptions_hash: { on: ["hash"] } },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "area",
  }),
  /** The last spoken form of a message. */
  speeches: table({
    columns: {
      event: text<EventId>(),
      room: text<RoomId>(),
      /** Hash of the text and the speaker. */
      hash: text(),
      blob: text(),
      size: integer(),
      type: text(),
      at: integer(),
    },
    key: ["event"],
    indexes: {
      speeches_at: { on: ["at"] },
      speeches_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "room", column: "room" },
    growsWith: "use",
    retention: { setting: "deliveryDays", since: "at" },
  }),
};
