/**
 * Answers with the bytes of a file, as a download that no browser runs: the whole file or one
 * range.
 */
import { HearthError } from "@hearth/protocol";
import { bytesAnswer, errorAnswer } from "../answer.ts";

interface Range {
  readonly from: number;
  /** The first byte after it. */
  readonly to: number;
}

export interface Download {
  /** Changes with the content. */
  readonly version: string;
  readonly sizeBytes: number;
  readonly type: string;
  readonly name: string;
  /** Whether its content never changes, so that a browser may keep it. */
  readonly isImmutable: boolean;
  /** Returns the bytes from `from` up to, not including, `to`. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** Answers a file as a download, whole or one range. */
export const downloadAnswer = ({ headers: requestHeaders, method }: Request, file: Download): Response => {
  const { version, sizeBytes, type, name } = file;
  const etag = `"${version}"`;
  const headers = {
    etag,
    "accept-ranges": "bytes",
    "content-type": type === "text/plain" ? "text/plain; charset=utf-8" : type,
    "content-disposition": toDisposition(name),
    // The reader may lose access later, but not what it has read.
    "cache-control": file.isImmutable ? "private, max-age=3600" : "private, no-cache",
  };
  if ((requestHeaders.get("if-none-match") ?? "").split(",").some((tag) => tag.trim() === etag))
    return bytesAnswer(null, 304, headers);
  const ifRange = requestHeaders.get("if-range");
  const range = ifRange === null || ifRange === etag ? readRange(requestHeaders.get("range"), sizeBytes) : undefined;
  if (range === "unsatisfiable")
    return errorAnswer(new HearthError("attachment.range", `The range is beyond the ${sizeBytes} bytes of the file.`), {
      "content-range": `bytes */${sizeBytes}`,
    });
  const { from, to } = range ?? { from: 0, to: sizeBytes };
  const body = method === "HEAD" ? null : toBody(file.read(from, to));
  return bytesAnswer(body, range === undefined ? 200 : 206, {
    ...headers,
    "content-length": String(to - from),
    ...(range === undefined ? {} : { "content-range": `bytes ${from}-${to - 1}/${sizeBytes}` }),
  });
};

/**
 * Reads one range of bytes. Returns undefined, which means the whole file, for no range, several
 * ranges, or another unit.
 */
export const readRange = (text: string | null, size: number): Range | "unsatisfiable" | undefined => {
  const [, firstText = "", lastText = ""] = /^bytes=(\d*)-(\d*)$/.exec(text ?? "") ?? [];
  if (firstText === "" && lastText === "") return undefined;
  if (firstText === "") {
    const length = Math.min(Number(lastText), size);
    return length === 0 ? "unsatisfiable" : { from: size - length, to: size };
  }
  const from = Number(firstText);
  const to = lastText === "" ? size : Math.min(Number(lastText) + 1, size);
  if (lastText !== "" && Number(lastText) < from) return undefined;
  return from >= size ? "unsatisfiable" : { from, to };
};

/** Makes a browser save the response under this name. */
export const toDisposition = (name: string): string => `attachment; filename*=UTF-8''${encodeFileName(name)}`;

/** RFC 8187: everything except letters, digits and a few signs is escaped. */
const encodeFileName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns a stream that is read as fast as the client reads. */
const toBody = (pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const source = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const result = await source.next();
        if (result.done === true) controller.close();
        else controller.enqueue(result.value);
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
};
