/**
 * Reads rooms over one socket, from the first event until each room has the message `END`. It
 * reconnects when it is disconnected, and counts lost and repeated events. Run as a program, it
 * starts several readers, stalls after they have subscribed, and continues when a byte arrives on
 * stdin.
 */
import { readSync } from "node:fs";

export const END = "end";
/** The close code for a reader that was too slow. */
const TRY_AGAIN = 1013;

export interface Seen {
  /** Room → the texts of its events, in order of arrival. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly lost: number;
  readonly doubled: number;
  /** How often it was disconnected because it was too slow. */
  readonly cut: number;
}

export interface Follower {
  /** Resolves when it has sent its subscriptions. */
  readonly asked: Promise<void>;
  /** Resolves when every subscription was answered. */
  readonly subscribed: Promise<void>;
  readonly seen: Promise<Seen>;
}

export const follow = (url: string, token: string, rooms: readonly string[]): Follower => {
  const asked = Promise.withResolvers<void>();
  const subscribed = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<Seen>();
  const texts: Record<string, string[]> = Object.fromEntries(rooms.map((room) => [room, []]));
  const left = new Map(rooms.map((room) => [room, 0]));
  const counts = { lost: 0, doubled: 0, cut: 0 };

  const take = (
    room: string,
    { offset, body }: { readonly offset: number; readonly body: { readonly text: string } },
  ) => {
    const last = left.get(room) ?? Infinity;
    if (offset <= last) {
      counts.doubled += 1;
      return;
    }
    counts.lost += offset - last - 1;
    left.set(room, offset);
    texts[room]?.push(body.text);
    if (body.text === END) left.delete(room);
  };

  const connect = (): void => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, {
      headers: { authorization: `Bearer ${token}` },
    } as never);
    let answers = left.size;
    socket.onopen = () => {
      for (const [room, after] of left)
        socket.send(JSON.stringify({ op: "subscribe", id: 1, stream: `room:${room}`, after }));
      asked.resolve();
    };
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data));
      if (frame.type === "answer") answers -= 1;
      if (answers === 0) subscribed.resolve();
      if (frame.type !== "events") return;
      for (const event of frame.events) take(frame.stream.slice("room:".length), event);
      if (left.size === 0) socket.close();
    };
    socket.onclose = ({ code }) => {
      if (code === TRY_AGAIN) counts.cut += 1;
      if (left.size === 0) finished.resolve({ texts, ...counts });
      else setTimeout(connect, 20);
    };
  };
  connect();
  return { asked: asked.promise, subscribed: subscribed.promise, seen: finished.promise };
};

export interface Sleepers {
  readonly url: string;
  readonly token: string;
  readonly rooms: readonly string[];
  readonly count: number;
}

if (import.meta.main) {
  const { url, token, rooms, count } = JSON.parse(process.argv[2] ?? "") as Sleepers;
  const followers = Array.from({ length: count }, () => follow(url, token, rooms));
  await Promise.all(followers.map((follower) => follower.asked));
  // Blocks the whole process, so that no socket is read meanwhile.
  readSync(0, new Uint8Array(1));
  console.log(JSON.stringify(await Promise.all(followers.map((follower) => follower.seen))));
  process.exit(0);
}
