/**
 * A process of readers: sockets that follow rooms from their first event until each room says `END`, and check that every event
 * comes once. What it saw is one line of JSON. A reader that is cut off comes back and reads on from where it was.
 */
import type { SocketFrame, StreamName } from "@hearth/protocol";
import { endWithParent } from "./child.ts";
import { pause, sharedNow } from "./clock.ts";
import type { Tally } from "./tally.ts";

export interface ReaderOrders {
  readonly url: string;
  readonly token: string;
  /** So many sockets for each list of streams. */
  readonly groups: readonly { readonly sockets: number; readonly streams: readonly StreamName[] }[];
  /** Once all have subscribed, nothing is taken from any socket for so long. */
  readonly sleepMs: number;
}

export interface ReaderReport {
  /** Followers of one stream, and how many of them came to its end. */
  readonly followers: number;
  readonly finished: number;
  readonly events: number;
  readonly lost: number;
  readonly doubled: number;
  /** How often a socket was closed because it was too slow, and how many events came to such sockets after they were back. */
  readonly cut: number;
  readonly resumed: number;
  /** What was delivered of each phase. */
  readonly phases: Readonly<Record<string, Tally>>;
}

/** A message is its phase and when it was about to be sent, on the shared clock; the rest is padding. */
export const toText = (phase: string, padding = ""): string => `${phase} ${sharedNow().toFixed(2)} ${padding}`;
export const END = "end";

/** Longest wait for the next event. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 1000;
/** The close code of a house that found a reader too slow. */
const TRY_AGAIN = 1013;
const AGAIN_MS = 50;

interface Parsed {
  readonly stream: StreamName;
  readonly events: readonly { readonly offset: number; readonly phase: string; readonly sentMs: number }[];
}

/** Many sockets get the same frame one after the other: it is parsed once, and known by its whole text. */
const createParser = (): ((text: string) => SocketFrame | Parsed) => {
  const known: { readonly text: string; readonly parsed: Parsed }[] = [];
  return (text) => {
    const same = known.find((one) => one.text === text);
    if (same !== undefined) return same.parsed;
    const frame = JSON.parse(text) as SocketFrame;
    if (frame.type !== "events") return frame;
    const events = frame.events.map((event) => {
      const [phase = "", sentMs] = event.type === "message" ? event.body.text.split(" ", 2) : [];
      return { offset: event.offset, phase, sentMs: Number(sentMs) };
    });
    const parsed = { stream: frame.stream, events };
    known.unshift({ text, parsed });
    if (known.length > 8) known.pop();
    return parsed;
  };
};

const read = async ({ url, token, groups, sleepMs }: ReaderOrders): Promise<ReaderReport> => {
  const parse = createParser();
  const phases = new Map<
    string,
    { events: number; frames: number; firstMs: number; lastMs: number; delays: Map<number, number> }
  >();
  const counts = { followers: 0, finished: 0, events: 0, lost: 0, doubled: 0, cut: 0, resumed: 0 };
  const over = Promise.withResolvers<void>();
  const subscribed = Promise.withResolvers<void>();
  let waiting = 0;
  let heardMs = sharedNow();

  const note = (phase: string, sentMs: number, seenMs: number): void => {
    const of = phases.get(phase) ?? { events: 0, frames: 0, firstMs: seenMs, lastMs: 0, delays: new Map() };
    phases.set(phase, of);
    of.events += 1;
    of.lastMs = seenMs;
    const delay = Math.round((seenMs - sentMs) * 10);
    of.delays.set(delay, (of.delays.get(delay) ?? 0) + 1);
  };

  const follow = (streams: readonly StreamName[]): void => {
    /** Of those that are not at their end. */
    const offsets = new Map(streams.map((stream) => [stream, 0]));
    counts.followers += streams.length;
    waiting += streams.length;
    let returned = false;

    const take = ({ stream, events }: Parsed): void => {
      const seenMs = sharedNow();
      heardMs = seenMs;
      let last = offsets.get(stream);
      const phase = phases.get(events[0]?.phase ?? "");
      if (phase !== undefined) phase.frames += 1;
      for (const { offset, phase, sentMs } of events) {
        if (last === undefined || offset <= last) {
          counts.doubled += 1;
          continue;
        }
        counts.lost += offset - last - 1;
        last = offset;
        counts.events += 1;
        if (returned) counts.resumed += 1;
        else note(phase, sentMs, seenMs);
        if (phase !== END) continue;
        counts.finished += 1;
        offsets.delete(stream);
        if (counts.finished === counts.followers) over.resolve();
        last = undefined;
      }
      if (last !== undefined) offsets.set(stream, last);
    };

    const connect = (): void => {
      // Bun takes headers here; the web's own type does not know them.
      const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, {
        headers: { authorization: `Bearer ${token}` },
      } as never);
      socket.onopen = () => {
        let id = 0;
        for (const [stream, after] of offsets)
          socket.send(JSON.stringify({ op: "subscribe", id: id++, stream, after }));
      };
      socket.onmessage = ({ data }) => {
        const frame = parse(String(data));
        if (!("type" in frame)) return take(frame);
        if (frame.type !== "answer") throw new Error(`The house answered ${String(data)}`);
        waiting -= 1;
        if (waiting === 0) subscribed.resolve();
      };
      socket.onclose = ({ code, reason }) => {
        if (offsets.size === 0) return;
        if (code === TRY_AGAIN) counts.cut += 1;
        else if (!returned) over.reject(new Error(`A socket was closed: ${code} ${reason}`));
        returned = true;
        setTimeout(connect, AGAIN_MS);
      };
    };
    connect();
  };

  /** Resolves when nothing has come for too long. */
  const silence = async (): Promise<void> => {
    heardMs = sharedNow();
    while (sharedNow() - heardMs < PATIENCE_MS) await pause(LOOK_MS);
  };

  for (const { sockets, streams } of groups) {
    for (let count = 0; count < sockets; count += 1) {
      follow(streams);
      // As many at once as a listening port takes.
      if (count % 50 === 49) await pause(20);
    }
  }
  await subscribed.promise;
  console.log("subscribed");
  if (sleepMs > 0) Bun.sleepSync(sleepMs);
  await Promise.race([over.promise, silence()]);
  return {
    ...counts,
    phases: Object.fromEntries([...phases].map(([phase, of]) => [phase, { ...of, delays: [...of.delays] }])),
  };
};

if (import.meta.main) {
  void endWithParent();
  console.log(JSON.stringify(await read(JSON.parse(process.argv[2] ?? "") as ReaderOrders)));
  process.exit(0);
}
