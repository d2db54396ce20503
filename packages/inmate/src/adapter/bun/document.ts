/**
 * The entry of a process that converts documents, draws charts and scales pictures down. With a
 * path it writes the result to stdout. Otherwise the warden sends the bytes over a stream of the
 * link and reads the result from it.
 */
import { convertDocument } from "@hearth/documents";
import { type ByteStream, createByteLink, HearthError, type InmateFrame, type BytePipe } from "@hearth/protocol";
import { ChartRequest, type ChartResult } from "@hearth/protocol/charts";
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENT_TEXT } from "@hearth/protocol/documents";
import {
  MAX_PICTURE_BYTES,
  PictureLimits,
  readHeader,
  type ScaledPicture,
  writeScaledPicture,
} from "@hearth/protocol/picture-sizes";
import { createPageReader } from "./page-reader.ts";
import { scalePicture } from "./picture.ts";

/** Converts a file and writes the result to stdout. The tool `read` shows a part of it. */
export const convertFile = async (path: string): Promise<void> => {
  const write = silenceConsole();
  const file = Bun.file(path);
  if (file.size > MAX_DOCUMENT_BYTES) throw new Error("the document is too large");
  write(JSON.stringify(await convertDocument(await file.bytes(), MAX_DOCUMENT_TEXT, createPageReader())));
};

/** Scales a picture down and writes the result to stdout. The tool `image` shows it. */
export const scaleFile = async (path: string, limits: string): Promise<void> => {
  const write = silenceConsole();
  const file = Bun.file(path);
  if (file.size > MAX_PICTURE_BYTES) throw new Error("the picture is too large");
  const scaled = await scalePicture(await file.bytes(), PictureLimits.parse(JSON.parse(limits)));
  write(JSON.stringify(scaled.kind === "picture" ? { ...scaled, bytes: scaled.bytes.toBase64() } : scaled));
};

/** Serves streams and resolves when the warden closes the link. */
export const serveDocument = async (pipe: BytePipe): Promise<void> => {
  silenceConsole();
  const link = createByteLink<InmateFrame>(pipe, "inmate");
  link.handleStreams((stream) => {
    serveStream(stream).catch(() => stream.reset());
  });
  for await (const frame of link.frames)
    throw new HearthError("cell.protocol", `The document process accepts no frames: ${typeof frame}.`);
};

const serveStream = async (stream: ByteStream): Promise<void> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream.bytes) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  await stream.write(await resultOf(stream.label, bytes));
  stream.end();
};

const resultOf = async (label: string, bytes: Uint8Array): Promise<Uint8Array> => {
  if (label === "picture") return writeScaledPicture(await scale(bytes));
  const result =
    label === "chart" ? await draw(bytes) : await convertDocument(bytes, MAX_DOCUMENT_TEXT, createPageReader());
  return new TextEncoder().encode(JSON.stringify(result));
};

/** The limits are a line of JSON before the picture. */
const scale = (joined: Uint8Array): Promise<ScaledPicture> => {
  const { header, bytes } = readHeader(joined);
  return scalePicture(bytes, PictureLimits.parse(header));
};

/** Draws a chart. Only this function loads the libraries of charts. */
const draw = async (bytes: Uint8Array): Promise<ChartResult> => {
  const { drawChart } = await import("./chart.ts");
  return drawChart(ChartRequest.parse(JSON.parse(new TextDecoder().decode(bytes))));
};

/** Silences stdout, because parsers log to it. Returns the function that writes the result. */
const silenceConsole = (): ((text: string) => void) => {
  const write = (text: string): void => {
    process.stdout.write(text);
  };
  for (const name of ["log", "info", "warn", "error", "debug"] as const) console[name] = () => undefined;
  return write;
};
