/**
 * A provider whose requests contain the files that its model accepts, as bytes. Any other file is
 * replaced by its text, or by the reason why there is no text. The `end` event lists the files that
 * the model got only in part or not at all.
 */
import {
  dataOf,
  type FileKind,
  type FilePart,
  type LoadedFile,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type Part,
  type RefusedFile,
  showSize,
  type TextPart,
  type WithheldFile,
} from "@hearth/protocol";
import type { ModelInfo } from "../catalog/model-info.ts";
import type { CallContext, Provider } from "../provider.ts";

export interface FittedProviderOptions {
  readonly provider: Provider;
  /** Returns the limits and abilities of a model, by the vendor's name for it. */
  readonly infoOf: (model: string) => ModelInfo;
}

export const createFittedProvider = ({ provider, infoOf }: FittedProviderOptions): Provider => ({
  ...provider,
  async *stream(request, signal, context = {}) {
    const info = infoOf(request.model);
    const maxOutputTokens = Math.min(request.maxOutputTokens, info.output);
    const { messages, withheld } = await fitFiles(request, { info, traits: provider.traits }, context);
    const fittedRequest = { ...request, maxOutputTokens, messages };
    for await (const event of provider.stream(fittedRequest, signal, context)) yield withWithheldFiles(event, withheld);
  },
});

const withWithheldFiles = (event: ModelEvent, withheld: readonly WithheldFile[]): ModelEvent =>
  event.type === "end" && withheld.length > 0 ? { ...event, withheld } : event;

/** Maximum size of a file in bytes before base64: the smallest limit among the vendors. */
const MAX_FILE_BYTES: Readonly<Record<Exclude<FileKind, "image">, number>> = {
  document: 10_000_000,
  audio: 10_000_000,
  file: 0,
};
/**
 * Maximum size of all files of a request. Vendors accept requests of 32 MB, and base64 adds a
 * third.
 */
const MAX_REQUEST_BYTES = 20_000_000;

/** Maximum length of the text of one document. */
const MAX_FILE_TEXT_LENGTH = 60_000;
const MAX_REQUEST_TEXT_LENGTH = 120_000;
const MIN_FILE_TEXT_LENGTH = 500;

/** A model, and what its provider carries. */
interface Receiver {
  readonly info: ModelInfo;
  readonly traits: Provider["traits"];
}

/**
 * Returns the reason why a model does not accept a file, as the end of a sentence, or undefined if
 * it does. A picture that is too large is scaled down.
 */
const refusalOf = (
  { kind, type, sizeBytes, untranscribed }: FilePart,
  { info, traits }: Receiver,
): string | undefined => {
  const { sees, hears, documents } = info;
  const accepts: Readonly<Record<FileKind, boolean>> = { image: sees, document: documents, audio: hears, file: false };
  if (type === PLAIN_TEXT) return "newer files fill the turn, or it is no longer stored";
  if (untranscribed !== undefined && !(accepts[kind] && traits.carries.includes(kind)))
    return `the model takes no ${KIND_NAMES[kind] ?? type}, and ${untranscribed}`;
  if (!accepts[kind]) return `the model takes no ${KIND_NAMES[kind] ?? type}`;
  if (!traits.carries.includes(kind)) return `the provider's protocol carries no ${KIND_NAMES[kind] ?? type}`;
  if (kind === "image" || sizeBytes <= MAX_FILE_BYTES[kind]) return undefined;
  return `it has ${showSize(sizeBytes)}, and a model takes at most ${showSize(MAX_FILE_BYTES[kind])}`;
};

/**
 * The type of files whose text is part of the message for every model, unless it could not be read.
 */
const PLAIN_TEXT = "text/plain";

const KIND_NAMES: Readonly<Partial<Record<FileKind, string>>> = {
  image: "pictures",
  document: "PDF documents",
  audio: "audio",
};

/** Removes the full stop, so that the text can end another sentence. */
const withoutFullStop = (sentence: string): string => sentence.replace(/\.$/u, "");

interface FittedMessages {
  readonly messages: readonly ModelMessage[];
  readonly withheld: readonly WithheldFile[];
}

/** A part for the model. `omitted` describes what the model does not get of the file. */
interface FittedPart {
  readonly part: LoadedFile | TextPart | RefusedFile;
  readonly omitted?: string | undefined;
}

const toRefusedFile = (part: FilePart, refusal: string): RefusedFile => ({ ...part, refusal });

/**
 * Returns a function that fits the parts of one request, the newest first. The parts share the limits of
 * the request.
 */
const createFit = (receiver: Receiver, { readFile, readText, scale }: CallContext) => {
  let remainingBytes = MAX_REQUEST_BYTES;
  let remainingTextLength = MAX_REQUEST_TEXT_LENGTH;

  /**
   * Returns the text of a document, or the reason why the model gets neither the text nor the
   * document.
   */
  const substitute = async (part: FilePart, why: string): Promise<FittedPart | string> => {
    const maxLength = Math.min(MAX_FILE_TEXT_LENGTH, remainingTextLength);
    if (readText === undefined || maxLength < MIN_FILE_TEXT_LENGTH) return why;
    const result = await readText(part, maxLength);
    if (result === undefined) return why;
    if ("why" in result) return `${why}, and Hearth has no text of it: ${result.why}`;
    remainingTextLength -= result.text.length;
    return { part: { kind: "text", text: result.text, file: part }, omitted: result.omitted };
  };

  /**
   * Returns a smaller picture. Returns undefined if the model takes the picture as it is, or the reason why
   * the model gets no picture.
   */
  const shrink = async (part: FilePart): Promise<FittedPart | string | undefined> => {
    const { pictureEdge: edge, pictureBytes } = receiver.info;
    const isSmall = part.sizeBytes <= pictureBytes;
    if (isSmall && Math.max(part.width ?? 0, part.height ?? 0) <= edge) return undefined;
    const scaled = dataOf(part) === undefined ? await scale?.(part, { edge, sizeBytes: pictureBytes }) : undefined;
    if (scaled !== undefined && !("why" in scaled)) {
      const { bytes, ...facts } = scaled;
      if (bytes.length > remainingBytes) return "newer files fill the request";
      remainingBytes -= bytes.length;
      const omitted = part.type === "image/gif" ? "all but its first frame" : undefined;
      return { part: { ...part, ...facts, sizeBytes: bytes.length, data: bytes.toBase64() }, omitted };
    }
    // The vendor scales it down.
    if (isSmall) return undefined;
    const reason = scaled === undefined ? "" : `, and it cannot be scaled down: ${withoutFullStop(scaled.why)}`;
    return `it has ${showSize(part.sizeBytes)}, and a model takes at most ${showSize(pictureBytes)}${reason}`;
  };

  const load = async (part: FilePart): Promise<FittedPart | string> => {
    const why = refusalOf(part, receiver);
    if (why !== undefined) return substitute(part, why);
    const smallerPicture = part.kind === "image" ? await shrink(part) : undefined;
    if (smallerPicture !== undefined) return smallerPicture;
    if (part.sizeBytes > remainingBytes) return "newer files fill the request";
    const data = dataOf(part) ?? (await readFile?.(part))?.toBase64();
    if (data === undefined) return "it is no longer stored";
    remainingBytes -= part.sizeBytes;
    return { part: { ...part, data } };
  };

  /** Returns the picture in place of its description if the model accepts it. */
  const restore = async (part: TextPart, file: FilePart): Promise<FittedPart> => {
    if (refusalOf(file, receiver) !== undefined)
      return { part, omitted: "the model takes no pictures, and got a description of it" };
    const loaded = await load(file);
    return typeof loaded === "string" ? { part, omitted: `${loaded}; the model got a description of it` } : loaded;
  };

  return async (part: Part): Promise<FittedPart> => {
    if (part.kind === "text") return part.file?.kind === "image" ? restore(part, part.file) : { part };
    const result = await load(part);
    return typeof result === "string" ? { part: toRefusedFile(part, result), omitted: result } : result;
  };
};

const fitFiles = async (
  { messages }: ModelRequest,
  receiver: Receiver,
  context: CallContext,
): Promise<FittedMessages> => {
  if (!messages.some((message) => message.role !== "assistant" && message.parts !== undefined))
    return { messages, withheld: [] };
  const fit = createFit(receiver, context);
  const lastReply = messages.findLastIndex((message) => message.role === "assistant" && message.toolCalls.length === 0);
  const fittedMessages = [...messages];
  const withheld: WithheldFile[] = [];
  // The newest files come first, because the limit of a request leaves out the oldest.
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined || message.role === "assistant" || message.parts === undefined) continue;
    const parts: Part[] = [];
    for (const part of message.parts) {
      const { part: fittedPart, omitted } = await fit(part);
      parts.push(fittedPart);
      const name = part.kind === "text" ? part.file?.name : part.name;
      if (omitted !== undefined && name !== undefined && index > lastReply) withheld.unshift({ name, why: omitted });
    }
    fittedMessages[index] = { ...message, parts };
  }
  return { messages: fittedMessages, withheld };
};
