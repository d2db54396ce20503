/**
 * Parses and formats heads of HTTP/1.1 messages. Rejects every head that two programs could
 * interpret differently.
 */
import { malformedError } from "./byte-reader.ts";

export type HeaderLine = readonly [name: string, value: string];

export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** The minor version of HTTP/1. */
  readonly version: 0 | 1;
  readonly headers: readonly HeaderLine[];
}

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly version: 0 | 1;
  readonly headers: readonly HeaderLine[];
}

export const MAX_HEAD_SIZE = 32 * 1024;
const MAX_HEADERS = 128;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Matches visible characters, blanks and bytes beyond ASCII, but no line end or NUL. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export const parseRequestHead = (bytes: Uint8Array): RequestHead => {
  const [requestLine = "", ...lines] = toLines(bytes);
  const [, method = "", target = "", minor] = /^(\S+) ([\x21-\x7e]+) HTTP\/1\.([01])$/.exec(requestLine) ?? [];
  if (!TOKEN.test(method)) throw malformedError("its first line is not a request line");
  return { method, target, version: minor === "1" ? 1 : 0, headers: lines.map(toHeader) };
};

export const parseResponseHead = (bytes: Uint8Array): ResponseHead => {
  const [statusLine = "", ...lines] = toLines(bytes);
  const [, minor, status, reason = ""] = /^HTTP\/1\.([01]) (\d{3})(?: (.*))?$/.exec(statusLine) ?? [];
  if (status === undefined || !VALUE.test(reason)) throw malformedError("its first line is not a status line");
  return { status: Number(status), reason, version: minor === "1" ? 1 : 0, headers: lines.map(toHeader) };
};

export const formatRequestHead = ({ method, target, headers }: Omit<RequestHead, "version">): Uint8Array =>
  format(`${method} ${target} HTTP/1.1`, headers);

export const formatResponseHead = ({ status, reason, headers }: Omit<ResponseHead, "version">): Uint8Array =>
  format(`HTTP/1.1 ${status} ${reason}`, headers);

/** Returns all values of a header, in order. */
export const valuesOf = (headers: readonly HeaderLine[], name: string): readonly string[] =>
  headers.filter(([headerName]) => headerName.toLowerCase() === name).map(([, value]) => value);

/** Returns the elements of a list header, in lower case. */
export const listOf = (headers: readonly HeaderLine[], name: string): readonly string[] =>
  valuesOf(headers, name)
    .flatMap((value) => value.split(","))
    .map((word) => trimBlanks(word).toLowerCase())
    .filter((word) => word !== "");

export const withoutHeaders = (headers: readonly HeaderLine[], names: readonly string[]): readonly HeaderLine[] =>
  headers.filter(([name]) => !names.includes(name.toLowerCase()));

/** Hop-by-hop headers, and headers that the house sets itself. */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "content-length",
  "upgrade",
  "http2-settings",
];

/** Returns the end-to-end headers. */
export const endToEnd = (headers: readonly HeaderLine[]): readonly HeaderLine[] =>
  withoutHeaders(headers, [...HOP_BY_HOP, ...listOf(headers, "connection")]);

const toLines = (bytes: Uint8Array): readonly string[] => {
  const text = toLatin1(bytes);
  if (!text.endsWith("\r\n\r\n")) throw malformedError("its head has no end");
  const lines = text.slice(0, -4).split("\r\n");
  if (lines.length - 1 > MAX_HEADERS) throw malformedError(`it has more than ${MAX_HEADERS} headers`);
  return lines;
};

/** Removes the two blanks of HTTP. `trim` would remove more, such as the no-break space. */
const trimBlanks = (text: string): string => text.replace(/^[\t ]+|[\t ]+$/g, "");

const toHeader = (line: string): HeaderLine => {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon));
  const value = trimBlanks(line.slice(colon + 1));
  if (!TOKEN.test(name) || !VALUE.test(value)) throw malformedError("it has an invalid header");
  return [name, value];
};

/**
 * Throws `egress.malformed` for a header with an invalid name or value, such as one with a line
 * end.
 */
const format = (firstLine: string, headers: readonly HeaderLine[]): Uint8Array => {
  if (!headers.every(([name, value]) => TOKEN.test(name) && VALUE.test(value)))
    throw malformedError("it has an invalid header");
  return fromLatin1(`${[firstLine, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n")}\r\n\r\n`);
};

/** Decodes each byte as one character, because the text of a head has no other encoding. */
export const toLatin1 = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};
export const fromLatin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
