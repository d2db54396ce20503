/** An HTTP client that reaches a name at a chosen address over TLS, with a chosen authority. */
import { request } from "node:https";
import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";

export interface Place {
  readonly address: string;
  readonly port: number;
  /** PEM of the authority. */
  readonly ca: string;
  /** The host name of the certificate and of requests. */
  readonly name: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Called with each piece of the body. Returning true ends the request. */
  readonly onText?: (text: string) => boolean;
}

/** A handshake names no address. */
const serverNameOf = ({ name }: Place) => (isIP(name) === 0 ? { servername: name } : {});
const hostOf = ({ name, port }: Place): string => `${name}:${port}`;

export const ask = (place: Place, path: string, { method = "GET", headers = {}, body, onText }: AskOptions = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const { address, port, ca } = place;
    const sent = request(
      {
        ...{ host: address, port, ca, path, method, agent: false, ...serverNameOf(place) },
        headers: {
          host: hostOf(place),
          ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
          ...headers,
        },
      },
      (response) => {
        let text = "";
        const done = (): void => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
          if (onText?.(text) !== true) return;
          done();
          sent.destroy();
        });
        response.on("end", done);
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });

/** Opens a connection and returns what comes back for these bytes until the other side closes. */
export const sendRaw = async (place: Place, bytes: string): Promise<string> => {
  const socket = await dial(place);
  const ended = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  socket.write(Buffer.from(bytes, "latin1"));
  await ended;
  return text;
};

const dial = (place: Place): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const { address, port, ca } = place;
    const socket = connect({ host: address, port, ca, ...serverNameOf(place) });
    socket.once("secureConnect", () => resolve(socket));
    socket.once("error", reject);
  });

/** A WebSocket with text frames. */
export interface Frames {
  send(value: unknown): void;
  /** Frames so far, parsed. */
  readonly received: readonly { readonly type?: string; readonly [key: string]: unknown }[];
  readonly status: number;
  close(): void;
}

/** Upgrades a connection. The platform's client cannot choose the address of a name. */
export const openSocket = async (place: Place, headers: Readonly<Record<string, string>>): Promise<Frames> => {
  const socket = await dial(place);
  const received: Frames["received"][number][] = [];
  const status = Promise.withResolvers<number>();
  let rest = Buffer.alloc(0);
  let isOpen = false;
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    if (!isOpen) {
      const end = rest.indexOf("\r\n\r\n");
      if (end === -1) return;
      status.resolve(Number(rest.toString("latin1", 9, 12)));
      rest = rest.subarray(end + 4);
      isOpen = true;
    }
    for (let frame = readFrame(rest); frame !== undefined; frame = readFrame(rest)) {
      if (frame.opcode === 1) received.push(JSON.parse(frame.text));
      rest = rest.subarray(frame.length);
    }
  });
  socket.on("error", status.reject);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: ${hostOf(place)}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa("sixteen bytes...")}\r\n${lines.join("")}\r\n`,
  );
  return {
    received,
    status: await status.promise,
    send: (value) => void socket.write(writeFrame(JSON.stringify(value))),
    close: () => void socket.destroy(),
  };
};

const readFrame = (bytes: Buffer) => {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 127;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < head) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < head + size) return undefined;
  return { opcode: (bytes[0] ?? 0) & 15, text: bytes.toString("utf8", head, head + size), length: head + size };
};

/** A masked text frame. The mask is zero, so the text stays as it is. */
const writeFrame = (text: string): Buffer => {
  const body = Buffer.from(text);
  const size = body.length < 126 ? [0x80 | body.length] : [0x80 | 126, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...size, 0, 0, 0, 0]), body]);
};
