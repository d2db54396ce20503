/**
 * The entry of a process that converts one document or draws one chart. With a path it writes the result to stdout;
 * otherwise the warden sends the bytes over a stream of the link and reads the result from it.
 */
import { convertDocument } from "@hearth/documents";
import { type ByteStream, createByteLink, HearthError, type InmateFrame, type BytePipe } from "@hearth/protocol";
import { ChartRequest, type ChartResult } from "@hearth/protocol/charts";
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENT_TEXT } from "@hearth/protocol/documents";
import { createPageReader } from "./page-reader.ts";

/** Converts a file and writes the result to stdout. The tool `read` shows a part of it. */
export const convertFile = async (path: string): Promise<void> => {
  const write = silence();
  const file = Bun.file(path);
  if (file.size > MAX_DOCUMENT_BYTES) throw new Error("the document is too large");
  write(JSON.stringify(await convertDocument(await file.bytes(), MAX_DOCUMENT_TEXT, createPageReader())));
};

/** Serves one stream and resolves when the warden closes the link. */
export const serveDocument = async (pipe: BytePipe): Promise<void> => {
  silence();
  const link = createByteLink<InmateFrame>(pipe, "inmate");
  link.handleStreams((stream) => {
    serveStream(stream).catch(() => stream.reset());
  });
  for await (const frame of link.frames)
    throw new HearthError("cell.protocol", `The process of a document takes no frames: ${typeof frame}.`);
};

const serveStream = async (stream: ByteStream): Promise<void> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream.bytes) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const result =
    stream.label === "chart" ? await draw(bytes) : await convertDocument(bytes, MAX_DOCUMENT_TEXT, createPageReader());
  await stream.write(new TextEncoder().encode(JSON.stringify(result)));
  stream.end();
};

/** Draws a chart. Only this function loads the libraries of charts. */
const draw = async (bytes: Uint8Array): Promise<ChartResult> => {
  const { drawChart } = await import("./chart.ts");
  return drawChart(ChartRequest.parse(JSON.parse(new TextDecoder().decode(bytes))));
};

/** Silences stdout, because parsers log to it. Returns the function that writes the result. */
const silence = (): ((text: string) => void) => {
  const write = (text: string): void => {
    process.stdout.write(text);
  };
  for (const name of ["log", "info", "warn", "error", "debug"] as const) console[name] = () => undefined;
  return write;
};
