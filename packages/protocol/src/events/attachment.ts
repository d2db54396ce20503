/** Attachments are files of a message. Uploads are files that are being sent to the house. */
import { z } from "zod";
import { ErrorBody } from "../base/error-schema.ts";
import { type ActivationId, AgentId, EventId, RoomId, UploadId } from "../base/ids.ts";

/** Maximum number of attachments of one message. */
export const MAX_ATTACHMENTS = 20;
/** Maximum length of a file name, in UTF-16 code units. */
export const MAX_FILE_NAME = 200;
/** Maximum length of the text that a sender adds to one file, in UTF-16 code units. */
export const MAX_CAPTION = 1000;

const Pixels = z.int().positive();

/** Properties of a file, read from its content. */
export const MediaFacts = z.object({
  /** The media type, which is detected from the content. The name of the file does not matter. */
  type: z.string().max(100),
  width: Pixels.exactOptional(),
  height: Pixels.exactOptional(),
  durationMs: z.int().nonnegative().exactOptional(),
});
export type MediaFacts = z.infer<typeof MediaFacts>;

/** A file of a message. Readers of the message may download it by its id. */
export const Attachment = MediaFacts.extend({
  id: UploadId,
  /** SHA-256 of the bytes that readers download, lower-case hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.int().positive(),
  name: z.string().max(MAX_FILE_NAME),
  /** Text of the sender about this file. */
  caption: z.string().min(1).max(MAX_CAPTION).exactOptional(),
});
export type Attachment = z.infer<typeof Attachment>;

export const TranscriptSegment = z.object({
  startMs: z.int().nonnegative(),
  endMs: z.int().nonnegative(),
  text: z.string(),
});
export type TranscriptSegment = z.infer<typeof TranscriptSegment>;

/** Maximum length of a corrected transcript, in UTF-16 code units. */
export const MAX_TRANSCRIPT_EDIT = 20_000;

/** The speech of an attachment as text. */
export const AttachedTranscript = z.object({
  /** Absent if the transcription failed. */
  text: z.string().exactOptional(),
  /** The language as the transcriber names it. */
  language: z.string().exactOptional(),
  segments: z.array(TranscriptSegment),
  /** Kind and model of the transcriber. */
  source: z.string(),
  /** Why there is no text. */
  error: ErrorBody.exactOptional(),
  /** The person who corrected the text. */
  editedBy: AgentId.exactOptional(),
  at: z.int(),
});
export type AttachedTranscript = z.infer<typeof AttachedTranscript>;

/** A transcript with the attachment that it belongs to. */
export const NamedTranscript = z.object({ attachment: UploadId, transcript: AttachedTranscript });
export type NamedTranscript = z.infer<typeof NamedTranscript>;

/** The existing transcripts of the named attachments. */
export const AttachedTranscriptList = z.array(NamedTranscript);
export type AttachedTranscriptList = z.infer<typeof AttachedTranscriptList>;

/** Maximum number of attachments of one request. */
const MAX_REQUESTED_ATTACHMENTS = 100;
/** `attachments`: ids with commas between them. */
export const TranscriptsQuery = z.object({
  attachments: z
    .string()
    .min(1)
    .max(MAX_REQUESTED_ATTACHMENTS * 31),
});

export const EditTranscript = z.strictObject({
  text: z
    .string()
    .max(MAX_TRANSCRIPT_EDIT)
    .refine((text) => text.trim() !== "", "must contain a visible character"),
});

/** The description of a picture by a model that sees, for models that do not. */
export const AttachedDescription = z.object({
  /** Absent if the picture could not be described. */
  text: z.string().exactOptional(),
  /** The model that described it, as `provider/model`. */
  source: z.string(),
  /** Why there is no text. */
  error: ErrorBody.exactOptional(),
  at: z.int(),
});
export type AttachedDescription = z.infer<typeof AttachedDescription>;

/** The existing descriptions of the named attachments. */
export const AttachedDescriptionList = z.array(z.object({ attachment: UploadId, description: AttachedDescription }));
export type AttachedDescriptionList = z.infer<typeof AttachedDescriptionList>;

/** Maximum length of the text in `AttachmentText`, in UTF-16 code units. */
export const MAX_ATTACHMENT_TEXT = 100_000;

/** `place`: a part of the document, as search results and its anchors name it. Absent: the first part. */
export const AttachmentTextQuery = z.object({ place: z.string().max(300).optional() });

/** A part of a document as Markdown, such as a page. */
export const AttachmentText = z.object({
  /** Absent if the document could not be read as text. */
  text: z.string().exactOptional(),
  /** The name of the part, such as "page 12". "" for a document without parts. */
  place: z.string().exactOptional(),
  /** The parts before and after it. */
  previous: z.string().exactOptional(),
  next: z.string().exactOptional(),
  /** Whether the part or the document has more text. */
  isCut: z.boolean(),
  /** Why there is no text, as a sentence. */
  why: z.string().exactOptional(),
});
export type AttachmentText = z.infer<typeof AttachmentText>;

/** A file of a message of a room. */
export const RoomFile = Attachment.extend({
  /** The author of the message. */
  by: AgentId,
  /** The time of the message in UTC milliseconds. */
  at: z.int(),
  message: EventId,
  /** The place of the message in the room. */
  offset: z.int().positive(),
});
export type RoomFile = z.infer<typeof RoomFile>;

/** Newest first. `isComplete`: the room has no older files. */
export const RoomFileList = z.object({ files: z.array(RoomFile), isComplete: z.boolean() });
export type RoomFileList = z.infer<typeof RoomFileList>;

/** Only the files of this author, by id. */
export const RoomFilesQuery = z.object({ by: AgentId.exactOptional() });

/** Whether a file is audio, by its detected type. */
export const isAudioType = (type: string): boolean => type.startsWith("audio/");

/** Returns a message as text, with one line for each attachment. */
export const readableText = (message: WithAttachments): string =>
  withLines(message, (attachment) => `[file ${describeFile(attachment)}]${captionOf(attachment)}`);

/** Returns a message as text for a model, with the path where tools find each file. */
export const modelText = (message: WithAttachments): string =>
  withLines(message, (attachment) => {
    const place = attachment.sizeBytes <= MAX_INBOX_FILE_BYTES ? inboxPath(attachment) : TOO_LARGE;
    return `[file ${describeFile(attachment)}; ${place}]${captionOf(attachment)}`;
  });

const TOO_LARGE = "the file is too large for your workspace, so tools cannot open it";

const captionOf = ({ caption }: Attachment): string => (caption === undefined ? "" : ` ${caption}`);

const withLines = ({ body, attachments = [] }: WithAttachments, toLine: (attachment: Attachment) => string): string => {
  if (attachments.length === 0) return body.text;
  const lines = attachments.map(toLine);
  return (body.text === "" ? lines : [body.text, ...lines]).join("\n");
};

/**
 * The folder of a workspace that contains the files of messages while a turn runs. The agent may
 * also have files there.
 */
export const INBOX = "inbox";
/** Maximum size of a file there. It is the default of the largest file that a cell may write. */
export const MAX_INBOX_FILE_BYTES = 1024 * 1024 * 1024;

/** Maximum size of a file that the file tools read. Commands read larger ones. */
export const MAX_READ_FILE_BYTES = 10 * 1024 * 1024;

/** Label of the stream in which the warden sends a file of a message to a cell. */
export const inboxStreamLabel = (activation: ActivationId, path: string): string => `${INBOX} ${activation} ${path}`;

/** Returns undefined if the stream carries no file of a message. */
export const readInboxStreamLabel = (
  label: string,
): { readonly activation: ActivationId; readonly path: string } | undefined => {
  const [, activation, path] = /^inbox (act_\w+) (inbox\/.+)$/s.exec(label) ?? [];
  return activation === undefined || path === undefined ? undefined : { activation: activation as ActivationId, path };
};

/** Number of the hash's digits in a name. Another file with the same digits cannot be found in practice. */
const HASH_DIGITS = 16;

/** Returns the path of a file in the workspace. The hash distinguishes two files with the same name. */
export const inboxPath = ({ hash, name }: Pick<Attachment, "hash" | "name">): string =>
  `${INBOX}/${hash.slice(0, HASH_DIGITS)}-${toPlainName(name)}`;

const INBOX_NAME = new RegExp(`^[0-9a-f]{${HASH_DIGITS}}-`);

/** Whether a name in `INBOX` is that of a file of a message. */
export const isInboxName = (name: string): boolean => INBOX_NAME.test(name);

/**
 * Characters of a file name before its extension, each of 4 bytes at most. A name on a disk has at
 * most 255 bytes.
 */
const MAX_STEM = 50;

/** Keeps letters, digits, dots and hyphens, so that a name needs no quotes in a command or a prompt. */
const toPlainName = (name: string): string => {
  const safeName = name.toWellFormed().replace(/[^\p{L}\p{N}._-]/gu, "_");
  const extension = /\.[A-Za-z0-9]{1,20}$/.exec(safeName)?.[0] ?? "";
  return [...safeName.slice(0, safeName.length - extension.length)].slice(0, MAX_STEM).join("") + extension;
};

/** The lines of a document's text where a part of the document begins, such as "[page 12]". */
export const PLACE_LINES = /^\[((?:page|sheet|slide|chapter|member) [^\]\n]{1,200})\]$/gmu;

/** A file whose parts an agent may cite in the turn that got it. */
export const CitableFile = z.object({
  room: RoomId,
  file: UploadId,
  name: z.string().max(MAX_FILE_NAME),
  hash: z.string(),
});
export type CitableFile = z.infer<typeof CitableFile>;

/** Maximum number of different citations in one message. */
export const MAX_CITATIONS = 100;

/** A link of a reply to a part of a file. The house gave its address to the agent in the same turn. */
export const Citation = z.object({
  /** The target of the link in the text. */
  address: z.string().max(500),
  room: RoomId,
  /** An attachment of the room. */
  file: UploadId,
  name: z.string().max(MAX_FILE_NAME),
  /** The part in the form of an address, such as "page-12". Absent: the whole file. */
  place: z.string().max(200).exactOptional(),
});
export type Citation = z.infer<typeof Citation>;

/** Maximum length of a place in an address, in UTF-16 code units. Titles of chapters may be longer. */
const MAX_PLACE = 80;

/** Returns a place, such as "page 12", in the form of an address, such as "page-12". */
export const toAddressPlace = (place: string): string =>
  (
    place
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
    .join("-")
    .slice(0, MAX_PLACE)
    .toWellFormed();

/** Returns the Markdown link by which an agent cites a part of the file. */
export const citationLink = ({ name, hash }: Pick<Attachment, "name" | "hash">, place: string): string => {
  const label = name.replace(/[^\p{L}\p{M}\p{N} .,+()_-]/gu, "_");
  const address = `${INBOX}/${hash.slice(0, HASH_DIGITS)}`;
  return place === "" ? `[${label}](${address})` : `[${label}, ${place}](${address}#${toAddressPlace(place)})`;
};

/** Returns a note that shows how to cite the text of a file. Undefined if the text has no parts. */
export const citationNote = (file: Pick<Attachment, "name" | "hash">, text: string): string | undefined => {
  const [, place] = text.matchAll(PLACE_LINES).next().value ?? [];
  return place === undefined ? undefined : `[cite a part with a link like ${citationLink(file, place)}]`;
};

const ADDRESS = String.raw`inbox\/([0-9a-f]{16})(?:-[\p{L}\p{N}._-]{0,120})?(?:#([\p{L}\p{M}\p{N}-]{1,100}))?`;
const CITATION_LINK = new RegExp(String.raw`\]\((${ADDRESS})\)`, "gu");

/** Returns the citations in a text whose files are among these. */
export const citationsIn = (text: string, files: readonly CitableFile[]): Citation[] => {
  const citationsByAddress = new Map<string, Citation>();
  for (const [, address = "", digits = "", place] of text.matchAll(CITATION_LINK)) {
    const citedFile = files.find(({ hash }) => hash.startsWith(digits));
    if (citedFile === undefined || citationsByAddress.size === MAX_CITATIONS) continue;
    const { room, file, name } = citedFile;
    citationsByAddress.set(address, { address, room, file, name, ...(place === undefined ? {} : { place }) });
  }
  return [...citationsByAddress.values()];
};

/** Returns a text for readers without links: of each citation, only the words in brackets are left. */
export const withoutAddresses = (text: string): string => text.replace(CITATION_LINK, "]");

interface WithAttachments {
  readonly body: { readonly text: string };
  readonly attachments?: readonly Attachment[];
}

/** Describes a file by its name, type and size, and by facts from its content. */
export const describeFile = ({
  name,
  type,
  sizeBytes,
  width,
  height,
  durationMs,
}: Omit<Attachment, "id" | "hash" | "caption">): string => {
  const facts = [type, showSize(sizeBytes)];
  if (width !== undefined && height !== undefined) facts.push(`${width} × ${height}`);
  if (durationMs !== undefined) facts.push(`${Math.round(durationMs / 1000)} s`);
  return `${JSON.stringify(name)}: ${facts.join(", ")}`;
};

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** Formats a size, for example `1.4 MB`. */
export const showSize = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  if (bytes === 1) return "1 byte";
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
};

/**
 * Size of a part. The bytes of a part become durable together. A client sends a part again after a
 * lost connection.
 */
export const UPLOAD_PART_BYTES = 4 * 1024 * 1024;
/** Maximum number of parts of one upload that a client sends at the same time. */
export const PARTS_AT_ONCE = 3;
/** The version of the tus protocol, https://tus.io/protocols/resumable-upload. */
export const TUS_VERSION = "1.0.0";
/** The media type of a part. */
export const TUS_PART_TYPE = "application/offset+octet-stream";

/** `complete`: all bytes are durable. `named`: a message has it as its attachment. */
export type UploadState = "open" | "complete" | "named";

export const Upload = z.object({
  id: UploadId,
  name: z.string(),
  sizeBytes: z.int().positive(),
  /** Bytes that are durable. The next part begins here. */
  offset: z.int().nonnegative(),
  /**
   * When the upload is removed, in UTC milliseconds, unless it grows or a message names it. Absent
   * if it is never removed.
   */
  expiresAt: z.int().exactOptional(),
  /** Present once all bytes arrived. Messages may name the upload from then on. */
  attachment: Attachment.exactOptional(),
});
export type Upload = z.infer<typeof Upload>;
