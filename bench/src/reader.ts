/**
 * A process of readers. Its sockets follow rooms from the first event to the message `END`, and
 * check that every event arrives once. It prints its report as a line of JSON. A reader that was
 * disconnected resumes from its offset.
 */
import type { SocketFrame, StreamName } from "@hearth/protocol";
import { endWithParent } from "./child.ts";
import { pause, sharedNow } from "./clock.ts";
import type { Tally } from "./tally.ts";

export interface ReaderOrders {
  readonly url: string;
  readonly token: string;
  /** For each list of streams, the number of sockets that follow it. */
  readonly groups: readonly { readonly sockets: number; readonly streams: readonly StreamName[] }[];
  /** How long the process stops reading after all have subscribed. */
  readonly sleepMs: number;
}

export interface ReaderReport {
  /** Number of followed streams, and how many of them reached their end. */
  readonly followers: number;
  readonly finished: number;
  readonly events: number;
  readonly lost: number;
  readonly doubled: number;
  /**
   * How often a socket was closed for being slow, and how many events such sockets received after
   * reconnecting.
   */
  readonly cut: number;
  readonly resumed: number;
  /** Deliveries by phase. */
  readonly phases: Readonly<Record<string, Tally>>;
}

/** Formats a message: its phase and the sending time on the shared clock, then padding. */
export const toText = (phase: string, padding = ""): string => `${phase} ${sharedNow().toFixed(2)} ${padding}`;
export const END = "end";

/** Maximum time without an event. */
const SILENCE_TIMEOUT_MS = 60_000;
const POLL_MS = 1000;
/** The close code for a reader that is too slow. */
const TRY_AGAIN = 1013;
const RECONNECT_MS = 50;

interface Parsed {
  readonly stream: StreamName;
  readonly events: readonly { readonly offset: number; readonly phase: string; readonly sentMs: number }[];
}

/** Parses frames with a cache, because many sockets receive the same frame one after the other. */
const createParser = (): ((text: string) => SocketFrame | Parsed) => {
  const known: { readonly text: string; readonly parsed: Parsed }[] = [];
  return (text) => {
    const same = known.find((reply) => reply.text === text);
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
  const finished = Promise.withResolvers<void>();
  const subscribed = Promise.withResolvers<void>();
  let waiting = 0;
  let lastEventMs = sharedNow();

  const note = (phase: string, sentMs: number, seenMs: number): void => {
    const of = phases.get(phase) ?? { events: 0, frames: 0, firstMs: seenMs, lastMs: 0, delays: new Map() };
    phases.set(phase, of);
    of.events += 1;
    of.lastMs = seenMs;
    const delay = Math.round((seenMs - sentMs) * 10);
    of.delays.set(delay, (of.delays.get(delay) ?? 0) + 1);
  };

  const follow = (streams: readonly StreamName[]): void => {
    /** Offsets of the streams that have not ended. */
    const offsets = new Map(streams.map((stream) => [stream, 0]));
    counts.followers += streams.length;
    waiting += streams.length;
    let returned = false;

    const take = ({ stream, events }: Parsed): void => {
      const seenMs = sharedNow();
      lastEventMs = seenMs;
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
        if (counts.finished === counts.followers) finished.resolve();
        last = undefined;
      }
      if (last !== undefined) offsets.set(stream, last);
    };

    const connect = (): void => {
      // Bun accepts headers here, but the web's type does not have them.
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
        else if (!returned) finished.reject(new Error(`A socket was closed: ${code} ${reason}`));
        returned = true;
        setTimeout(connect, RECONNECT_MS);
      };
    };
    connect();
  };

  /** Resolves when no event has arrived for too long. */
  const silence = async (): Promise<void> => {
    lastEventMs = sharedNow();
    while (sharedNow() - lastEventMs < SILENCE_TIMEOUT_MS) await pause(POLL_MS);
  };

  for (const { sockets, streams } of groups) {
    for (let count = 0; count < sockets; count += 1) {
      follow(streams);
      // Connects in groups that fit the backlog of the port.
      if (count % 50 === 49) await pause(20);
    }
  }
  await subscribed.promise;
  console.log("subscribed");
  if (sleepMs > 0) Bun.sleepSync(sleepMs);
  await Promise.race([finished.promise, silence()]);
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
