/**
 * The host's program inside a machine: sets the clock, seeds the random source, writes the brain
 * and reports workspace changes. It runs as root so that the inmate cannot write the brain. The host
 * does not trust its reports either.
 */
import { writeFileSync } from "node:fs";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { type BytePipe, type ByteStream, createByteLink } from "@hearth/protocol";
import { beginMachine } from "../keeper.ts";
import { applyTree, createBounds } from "../tree-apply.ts";
import { decodeTree, type Entry, encodeTree, type Item } from "../tree-codec.ts";
import { scanTree, type KnownVersions } from "../tree-scan.ts";
import { BEGIN_LENGTH, STARTED, decodeParameters, type Order, SEED_LENGTH, WAITING, WORKSPACE } from "../wire.ts";
import { openKernel } from "./kernel.ts";
import { createPipePair } from "./pipe-pair.ts";
import { openPort } from "./port.ts";
import { waitForIdleThreads } from "./rest.ts";

const BRAIN = "/mnt/disk/brain";
const AGENT_UID = 1000;
/** Maximum number of entries. The disk limits their total size. */
const MAX_ENTRIES = 1_000_000;

const [path, inmate] = process.argv.slice(2);
if (path === undefined || inmate === undefined) throw new Error("usage: keeper.js PORT PID");

// The kernel never kills the keeper when memory runs out.
writeFileSync("/proc/self/oom_score_adj", "-1000");
const kernel = openKernel();
const knownVersions: KnownVersions = new Map();

const applyParameters = (bytes: Uint8Array): void => {
  const { at, seed, processes, fileMiB } = decodeParameters(bytes);
  kernel.setClock(at);
  kernel.seed(seed);
  kernel.limit(Number(inmate), { processes, fileBytes: fileMiB * 1024 * 1024 });
};

const fill = async (stream: ByteStream): Promise<void> => {
  let hasWorkspaceFiles = false;
  await applyTree(BRAIN, decodeTree(stream.bytes), {
    links: "any",
    bounds: createBounds(Number.MAX_SAFE_INTEGER, MAX_ENTRIES),
    own(entry) {
      if (!entry.startsWith(`${WORKSPACE}/`)) return { owner: 0, mode: 0o444 };
      hasWorkspaceFiles = true;
      return { owner: AGENT_UID, mode: 0 };
    },
  });
  // Files that the host copied in are not changes.
  if (hasWorkspaceFiles) for await (const _ of changes()) continue;
};

const collect = async (stream: ByteStream): Promise<void> => {
  for await (const bytes of encodeTree(changes())) await stream.write(bytes);
};

const changes = () =>
  scanTree(`${BRAIN}/${WORKSPACE}`, knownVersions, {
    except: new Set(),
    maxEntries: MAX_ENTRIES,
  });

const orders: Readonly<Record<Order, (stream: ByteStream) => Promise<void>>> = { fill, collect };

const serve = async (pipe: BytePipe): Promise<void> => {
  let lastOrder: Promise<void> = Promise.resolve();
  const link = createByteLink<never>(pipe, "inmate");
  link.handleStreams((stream) => {
    const order = Object.hasOwn(orders, stream.label) ? orders[stream.label as Order] : undefined;
    lastOrder = lastOrder.then(async () => {
      try {
        if (order === undefined) throw new Error(`unknown order: ${stream.label}`);
        await order(stream);
        stream.end();
      } catch (error) {
        console.error(error instanceof Error ? error.message : error);
        stream.reset();
      }
    });
  });
  for await (const _ of link.frames) continue;
};

/**
 * Runs every code path before the first cell needs it, because first executions are slow. Leaves no
 * files behind.
 */
const rehearse = async (): Promise<void> => {
  const [hostPipe, guestPipe] = createPipePair();
  const serving = readFirstPiece(guestPipe).then(async (bytes) => {
    applyParameters(bytes);
    await guestPipe.write(STARTED);
    return serve(guestPipe);
  });
  const keeper = await beginMachine(hostPipe, {
    at: Date.now(),
    seed: new Uint8Array(SEED_LENGTH),
    processes: 1000,
    fileMiB: 1,
  });
  const names = ["SOUL.md", "memory", "memory/a.md", `${WORKSPACE}/a`, `${WORKSPACE}/a/b.md`];
  for (let count = 0; count < REHEARSAL_COUNT; count += 1) {
    await keeper.fill(toItems(names.map((name) => (name.endsWith(".md") ? file(name) : folder(name)))));
    for await (const _ of keeper.collect()) continue;
    await keeper.fill(toItems(names.map((name) => ({ kind: "gone", path: name }) as const)));
    for await (const _ of keeper.collect()) continue;
  }
  keeper.close();
  await serving;
};

const readFirstPiece = async ({ bytes }: BytePipe): Promise<Uint8Array> => {
  const { value } = await bytes[Symbol.asyncIterator]().next();
  return value as Uint8Array;
};

const REHEARSAL_COUNT = 2;
const file = (name: string): Entry => ({ kind: "file", path: name, mode: 0o600, size: TEXT.length });
const folder = (name: string): Entry => ({ kind: "folder", path: name, mode: 0o700 });
const TEXT = new Uint8Array(100);

async function* toItems(entries: readonly Entry[]): AsyncGenerator<Item> {
  for (const entry of entries) yield { entry, bytes: bytesOf(entry) };
}
async function* bytesOf(entry: Entry): AsyncGenerator<Uint8Array> {
  if (entry.kind === "file") yield TEXT;
}

await rehearse();
const port = openPort(path);
await waitForIdleThreads(createBunClock());
port.say(WAITING);
applyParameters(port.take(BEGIN_LENGTH));
port.say(STARTED);
// The inmate connects first.
port.wake();
await serve(port);
