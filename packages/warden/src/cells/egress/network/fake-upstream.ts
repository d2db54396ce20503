/**
 * An upstream that a test plays. It answers HTTP/1.1 and counts the bytes that it receives and
 * sends.
 */
import type { Connection } from "./network.ts";

export interface ReceivedRequest {
  /** First line and headers, as received. */
  readonly head: string;
  readonly body: string;
}

export interface FakeUpstream {
  readonly requests: readonly ReceivedRequest[];
  receivedBytes(): number;
  sentBytes(): number;
  /** Returns the number of connections whose other side is still open. */
  open(): number;
  /** Serves one connection. Never rejects. */
  serve(connection: Connection): Promise<void>;
}

/** Returns the bytes of the response, one per character, or `undefined` to close the connection. */
export type UpstreamAnswer = (request: ReceivedRequest) => string | readonly (string | undefined)[] | undefined;

/** Creates the upstream. `answersAfter` says how much of a request it reads before it answers. */
export const createFakeUpstream = (answer: UpstreamAnswer, answersAfter: "all" | "head" = "all"): FakeUpstream => {
  const requests: ReceivedRequest[] = [];
  let receivedCount = 0;
  let sentCount = 0;
  let openCount = 0;

  const serve = async (connection: Connection): Promise<void> => {
    let buffered = "";
    for await (const bytes of connection.bytes) {
      receivedCount += bytes.length;
      for (const byte of bytes) buffered += String.fromCharCode(byte);
      for (
        let request = takeRequest(buffered, answersAfter);
        request !== undefined;
        request = takeRequest(buffered, answersAfter)
      ) {
        buffered = buffered.slice(request.size);
        requests.push(request);
        const response = answer(request);
        for (const piece of typeof response === "string" || response === undefined ? [response] : response) {
          if (piece === undefined) return connection.end();
          const sentBytes = Uint8Array.from(piece, (character) => character.charCodeAt(0));
          sentCount += sentBytes.length;
          await connection.write(sentBytes);
        }
      }
    }
  };

  return {
    requests,
    receivedBytes: () => receivedCount,
    sentBytes: () => sentCount,
    open: () => openCount,
    async serve(connection) {
      openCount += 1;
      await serve(connection).catch(() => {});
      openCount -= 1;
    },
  };
};

/** Takes one whole request from the start of the text. */
const takeRequest = (
  text: string,
  answersAfter: "all" | "head",
): (ReceivedRequest & { readonly size: number }) | undefined => {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const start = end + 4;
  if (answersAfter === "head") return { head, body: "", size: text.length };
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const size = start + Number(length);
    return text.length < size ? undefined : { head, body: text.slice(start, size), size };
  }
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return { head, body: "", size: start };
  const lastChunk = /(?:^|\r\n)0\r\n\r\n/.exec(text.slice(start));
  if (lastChunk === null) return undefined;
  const size = start + lastChunk.index + lastChunk[0].length;
  return { head, body: text.slice(start, size), size };
};
