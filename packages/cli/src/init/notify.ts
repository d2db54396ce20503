/**
 * Reports the state of the house over the socket that the init system names. See sd_notify(3): each
 * message is a datagram of `NAME=value` lines.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import type { Clock } from "@hearth/protocol";

export interface InitNotifier {
  /**
   * Reports that the house accepts requests. If the service manager asked for keep-alives, starts
   * to send them.
   */
  ready(status: string): void;
  stopping(): void;
}

export interface NotifyOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sleep: Clock["sleep"];
  /**
   * Whether the house answers a request. If it gives no answer within the watchdog limit, the service
   * manager restarts the house.
   */
  answers(signal: AbortSignal): Promise<boolean>;
  /** Ends the keep-alives. */
  readonly signal: AbortSignal;
}

const MICROSECONDS_PER_MS = 1000;
/** More than one, so that a late keep-alive does no harm. */
const KEEPALIVES_PER_LIMIT = 3;

/**
 * Connects to the service manager. Returns undefined when no manager listens. Throws when its
 * socket cannot be used.
 */
export const openInitNotifier = (options: NotifyOptions): InitNotifier | undefined => {
  const { env, sleep, answers, signal } = options;
  const path = env["NOTIFY_SOCKET"] ?? "";
  if (path === "") return undefined;
  const send = openDatagrams(path);
  const limitMs = Number(env["WATCHDOG_USEC"] ?? 0) / MICROSECONDS_PER_MS;
  const sendKeepAlives = async (): Promise<void> => {
    const everyMs = limitMs / KEEPALIVES_PER_LIMIT;
    while (!signal.aborted) {
      if (await answers(AbortSignal.timeout(everyMs)).catch(() => false)) send("WATCHDOG=1");
      await sleep(everyMs, signal);
    }
  };
  return {
    ready(status) {
      send(`READY=1\nSTATUS=${status.replaceAll("\n", " ")}`);
      if (limitMs > 0) sendKeepAlives().catch(reportError);
    },
    stopping: () => send("STOPPING=1"),
  };
};

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_NOSIGNAL = 0x4000;

/** Opens a datagram socket through the C library, because Bun has no Unix datagram sockets. */
const openDatagrams = (path: string): ((text: string) => void) => {
  const { socket, sendto } = openLibrary();
  const descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) throw new Error(`Cannot open a socket to the service manager at ${path}.`);
  const address = toAddress(path);
  return (text) => {
    const bytes = Buffer.from(text);
    const sentBytes = sendto(descriptor, ptr(bytes), bytes.length, MSG_NOSIGNAL, ptr(address), address.length);
    if (sentBytes !== BigInt(bytes.length)) throw new Error(`Cannot send to the service manager's socket ${path}.`);
  };
};

/** Encodes a path as a `sockaddr_un`. A leading `@` becomes the zero byte of an abstract address. */
const toAddress = (path: string): Buffer => {
  const family = Buffer.from(new Uint16Array([AF_UNIX]).buffer);
  if (path.startsWith("@")) return Buffer.concat([family, Buffer.from(`\0${path.slice(1)}`)]);
  return Buffer.concat([family, Buffer.from(`${path}\0`)]);
};

const openLibrary = () => {
  const { i32, u64, i64, ptr: pointer } = FFIType;
  const declarations = {
    socket: { args: [i32, i32, i32], returns: i32 },
    sendto: { args: [i32, pointer, u64, i32, pointer, i32], returns: i64 },
  } as const;
  try {
    return dlopen("libc.so.6", declarations).symbols;
  } catch {
    return dlopen(`libc.musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`, declarations).symbols;
  }
};
