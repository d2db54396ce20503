/**
 * Runs turns like a user: posts a message by HTTP and reads the reply from a socket that follows
 * the room.
 */
import type { RoomId, SocketFrame } from "@hearth/protocol";
import { sharedNow } from "./clock.ts";
import type { House } from "./house.ts";
import { loopback } from "./loopback.ts";
import { markOf } from "./model/marks.ts";
import { REPLY } from "./model/wires.ts";
import type { Site } from "./site.ts";

export interface Turn {
  /** The mark in the message, which identifies its request at the model. */
  readonly mark: string;
  /** When the message was about to be sent, and when the reply had arrived, on the shared clock. */
  readonly sentMs: number;
  readonly seenMs: number;
}

export interface TurnClient extends AsyncDisposable {
  /**
   * Runs one turn, at most one at a time per room. The message is its mark and `more`. Throws if
   * the reply does not come or is not the model's.
   */
  turn(room: RoomId, more?: string): Promise<Turn>;
}

interface Waiting {
  readonly seen: (atMs: number) => void;
  readonly failed: (error: Error) => void;
}

/** Longest wait for a reply. */
const REPLY_TIMEOUT_MS = 20_000;

/** Follows all rooms over one socket. */
export const openTurnClient = async (site: Site, house: House, rooms: readonly RoomId[]): Promise<TurnClient> => {
  const authorization = `Bearer ${house.token}`;
  const headers = { authorization, "content-type": "application/json" };
  const waiting = new Map<string, Waiting>();
  const subscribed = Promise.withResolvers<void>();
  let answers = 0;
  let count = 0;

  const fail = (error: Error): void => {
    subscribed.reject(error);
    for (const { failed } of waiting.values()) failed(error);
  };

  // Bun accepts headers here, but the web's type does not have them.
  const socket = new WebSocket(`${house.url.replace("http", "ws")}/ws`, { headers: { authorization } } as never);
  const close = site.own(async () => socket.close());
  socket.onclose = ({ code, reason }) => fail(new Error(`The socket was closed: ${code} ${reason}`));
  socket.onopen = () => {
    for (const [id, room] of rooms.entries())
      socket.send(JSON.stringify({ op: "subscribe", id, stream: `room:${room}` }));
  };
  socket.onmessage = ({ data }) => {
    const atMs = sharedNow();
    const frame = JSON.parse(String(data)) as SocketFrame;
    if (frame.type === "answer") {
      answers += 1;
      if (answers === rooms.length) subscribed.resolve();
    } else if (frame.type === "events") {
      for (const event of frame.events) {
        if (event.type !== "message" || event.activation === undefined) continue;
        const turn = waiting.get(frame.stream);
        if (event.body.text === REPLY) turn?.seen(atMs);
        else turn?.failed(new Error(`The agent replied "${event.body.text}" instead of the model's text.`));
      }
    } else fail(new Error(`The house answered ${String(data)}`));
  };
  await subscribed.promise;

  const reply = (room: RoomId): Promise<number> =>
    new Promise((resolve, reject) => {
      const stream = `room:${room}`;
      const timer = setTimeout(
        () => failed(new Error(`No reply in ${room} within ${REPLY_TIMEOUT_MS / 1000} s.`)),
        REPLY_TIMEOUT_MS,
      );
      const done = (): void => {
        clearTimeout(timer);
        waiting.delete(stream);
      };
      const failed = (error: Error): void => {
        done();
        reject(error);
      };
      const seen = (atMs: number): void => {
        done();
        resolve(atMs);
      };
      waiting.set(stream, { seen, failed });
    });

  const post = async (room: RoomId, text: string): Promise<void> => {
    const response = await loopback(`${house.url}/api/rooms/${room}/messages`, {
      method: "POST",
      headers,
      body: `{"text":"${text}"}`,
    });
    const answer = await response.text();
    if (response.status !== 201) throw new Error(`The house refused a message with ${response.status}: ${answer}`);
  };

  return {
    async turn(room, more = "") {
      count += 1;
      const mark = markOf(count);
      const seen = reply(room);
      const sentMs = sharedNow();
      const [seenMs] = await Promise.all([seen, post(room, more === "" ? mark : `${mark} ${more}`)]);
      return { mark, sentMs, seenMs };
    },
    [Symbol.asyncDispose]: close,
  };
};
