/**
 * A provider whose requests contain the files that its model accepts, as bytes. Any other file is
 * replaced by its text, or by the reason why there is none. The answer names the files that are not
 * complete.
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
  /** By the vendor's name of the model. */
  readonly infoOf: (model: string) => ModelInfo;
}

export const createFittedProvider = ({ provider, infoOf }: FittedProviderOptions): Provider => ({
  ...provider,
  async *stream(request, signal, context = {}) {
    const info = infoOf(request.model);
    const maxOutputTokens = Math.min(request.maxOutputTokens, info.output);
    const { messages, withheld } = await fitFiles(request, (part) => refusalOf(part, info, provider), context);
    const fitted = { ...request, maxOutputTokens, messages };
    for await (const event of provider.stream(fitted, signal, context)) yield withWithheldFiles(event, withheld);
  },
});

const withWithheldFiles = (event: ModelEvent, withheld: readonly WithheldFile[]): ModelEvent =>
  event.type === "end" && withheld.length > 0 ? { ...event, withheld } : event;

/** Maximum size of a file in bytes before base64: the smallest limit among the vendors. */
const MAX_FILE_BYTES: Readonly<Record<FileKind, number>> = {
  image: 3_750_000,
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
const MAX_FILE_TEXT = 60_000;
const MAX_REQUEST_TEXT = 120_000;
const MIN_FILE_TEXT = 500;

/**
 * Returns the reason why a model does not accept a file, as the end of a sentence, or undefined if
 * it does.
 */
const refusalOf = (
  { kind, type, sizeBytes, untranscribed }: FilePart,
  { sees, hears, documents }: ModelInfo,
  { traits }: Pick<Provider, "traits">,
): string | undefined => {
  const takes: Readonly<Record<FileKind, boolean>> = { image: sees, document: documents, audio: hears, file: false };
  if (type === PLAIN_TEXT) return "newer files fill the turn, or it is no longer stored";
  if (untranscribed !== undefined && !(takes[kind] && traits.carries.includes(kind)))
    return `the model takes no ${kind === "audio" ? "audio" : type}, and ${untranscribed}`;
  if (!takes[kind]) return `the model takes no ${KIND_NAMES[kind] ?? type}`;
  if (!traits.carries.includes(kind)) return `the provider's protocol carries no ${KIND_NAMES[kind] ?? type}`;
  if (sizeBytes <= MAX_FILE_BYTES[kind]) return undefined;
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

interface Fitted {
  readonly messages: readonly ModelMessage[];
  readonly withheld: readonly WithheldFile[];
}

/** A part for the model, and the part of the file that it does not have. */
interface FittedPart {
  readonly part: LoadedFile | TextPart | RefusedFile;
  readonly omitted?: string | undefined;
}

const toRefusedFile = (part: FilePart, refusal: string): RefusedFile => ({ ...part, refusal });

const fitFiles = async (
  { messages }: ModelRequest,
  refuse: (part: FilePart) => string | undefined,
  { readFile, readText }: CallContext,
): Promise<Fitted> => {
  if (!messages.some((message) => message.role !== "assistant" && message.parts !== undefined))
    return { messages, withheld: [] };
  let leftBytes = MAX_REQUEST_BYTES;
  let leftText = MAX_REQUEST_TEXT;

  /**
   * Returns the text of a document, or the reason why the model gets neither the text nor the
   * document.
   */
  const substitute = async (part: FilePart, why: string): Promise<FittedPart | string> => {
    const maxLength = Math.min(MAX_FILE_TEXT, leftText);
    if (readText === undefined || maxLength < MIN_FILE_TEXT) return why;
    const found = await readText(part, maxLength);
    if (found === undefined) return why;
    if ("why" in found) return `${why}, and Hearth has no text of it: ${found.why}`;
    leftText -= found.text.length;
    return { part: { kind: "text", text: found.text, file: part }, omitted: found.omitted };
  };

  const load = async (part: FilePart): Promise<FittedPart | string> => {
    const why = refuse(part);
    if (why !== undefined) return substitute(part, why);
    if (part.sizeBytes > leftBytes) return "newer files fill the request";
    const data = dataOf(part) ?? (await readFile?.(part))?.toBase64();
    if (data === undefined) return "it is no longer stored";
    leftBytes -= part.sizeBytes;
    return { part: { ...part, data } };
  };

  const lastReply = messages.findLastIndex((message) => message.role === "assistant" && message.toolCalls.length === 0);
  const fitted = [...messages];
  const withheld: WithheldFile[] = [];
  // The newest files come first, because the limit of a request leaves out the oldest.
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message === undefined || message.role === "assistant" || message.parts === undefined) continue;
    const parts: Part[] = [];
    for (const part of message.parts) {
      if (part.kind === "text") {
        parts.push(part);
        continue;
      }
      const found = await load(part);
      const fit = typeof found === "string" ? { part: toRefusedFile(part, found), omitted: found } : found;
      parts.push(fit.part);
      if (fit.omitted !== undefined && at > lastReply) withheld.unshift({ name: part.name, why: fit.omitted });
    }
    fitted[at] = { ...message, parts };
  }
  return { messages: fitted, withheld };
};
