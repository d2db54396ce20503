/** Messages to a service manager, received by a real socket. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { dlopen, FFIType, ptr } from "bun:ffi";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@hearth/protocol/until";
import { openInitNotifier } from "./notify.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-notify-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const MSG_DONTWAIT = 0x40;
const ROOM = 512;

const openLibrary = () => {
  const { i32, u64, i64, ptr: pointer } = FFIType;
  return dlopen("libc.so.6", {
    socket: { args: [i32, i32, i32], returns: i32 },
    bind: { args: [i32, pointer, i32], returns: i32 },
    recv: { args: [i32, pointer, u64, i32], returns: i64 },
    close: { args: [i32], returns: i32 },
  }).symbols;
};

/** A bound socket of datagrams; `address` is a path, or an abstract name with a leading zero byte. */
const listen = (address: string) => {
  const library = openLibrary();
  const descriptor = library.socket(AF_UNIX, SOCK_DGRAM, 0);
  const bytes = Buffer.concat([Buffer.from([AF_UNIX, 0]), Buffer.from(address)]);
  expect(library.bind(descriptor, ptr(bytes), bytes.length)).toBe(0);
  const received: string[] = [];
  return {
    received() {
      for (;;) {
        const room = Buffer.alloc(ROOM);
        const length = Number(library.recv(descriptor, ptr(room), ROOM, MSG_DONTWAIT));
        if (length < 0) return received;
        received.push(room.subarray(0, length).toString());
      }
    },
    [Symbol.dispose]: () => void library.close(descriptor),
  };
};

const open = (env: Readonly<Record<string, string>>, answers: () => Promise<boolean> = () => Promise.resolve(true)) => {
  const ending = new AbortController();
  const waits: { readonly ms: number; readonly resolve: () => void }[] = [];
  const notifier = openInitNotifier({
    env,
    answers,
    signal: ending.signal,
    sleep: (ms) => new Promise((resolve) => waits.push({ ms, resolve })),
  });
  return { notifier, waits, ending };
};

test("without a service manager, there is nothing to notify", () => {
  expect(open({}).notifier).toBeUndefined();
  expect(open({ NOTIFY_SOCKET: "" }).notifier).toBeUndefined();
});

test("a manager learns that the house is ready and that it stops, on both kinds of address", () => {
  for (const [bound, named] of [
    [join(folder, "notify"), join(folder, "notify")],
    [`\0${folder}`, `@${folder}`],
  ] as const) {
    using manager = listen(bound);
    const { notifier, waits } = open({ NOTIFY_SOCKET: named });
    notifier?.ready("two\nlines");
    notifier?.stopping();
    expect(manager.received()).toEqual(["READY=1\nSTATUS=two lines", "STOPPING=1"]);
    expect(waits).toEqual([]);
  }
});

test("a manager that watches gets three signs of life per limit, but none while the house does not answer", async () => {
  using manager = listen(join(folder, "notify"));
  let healthy: boolean | Error = true;
  const answers = (): Promise<boolean> =>
    healthy instanceof Error ? Promise.reject(healthy) : Promise.resolve(healthy);
  const { notifier, waits, ending } = open(
    { NOTIFY_SOCKET: join(folder, "notify"), WATCHDOG_USEC: "60000000" },
    answers,
  );
  const nextWait = async (count: number): Promise<void> => {
    await until(() => waits.length === count);
    waits[count - 1]?.resolve();
  };
  notifier?.ready("up");
  await nextWait(1);
  expect(waits[0]?.ms).toBe(20_000);
  healthy = false;
  await nextWait(2);
  healthy = new Error("refused");
  await nextWait(3);
  healthy = true;
  await until(() => waits.length === 4);
  expect(manager.received()).toEqual(["READY=1\nSTATUS=up", "WATCHDOG=1", "WATCHDOG=1"]);
  // After the end, no further wait begins.
  ending.abort();
  waits[3]?.resolve();
  expect(manager.received()).toHaveLength(3);
});

test("a socket that is gone is an error with its path", () => {
  const path = join(folder, "gone");
  expect(() => open({ NOTIFY_SOCKET: path }).notifier?.ready("up")).toThrow(path);
});
