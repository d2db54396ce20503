/**
 * Measures the memory of a house after a load of 500 readers of server-sent events and 200 writers.
 */
import type { RoomId } from "@hearth/protocol";
import type { Bench, Figure } from "./bench.ts";
import { pause, sharedNow } from "./clock.ts";
import { type House, startHouse } from "./house.ts";
import { hasProc, NEEDS_PROC, pssOf, treeOf } from "./machine.ts";
import { toText } from "./reader.ts";
import { watchRound } from "./rounds.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { openWriter } from "./writer.ts";

const READERS = 500;
const WRITERS = 200;
const ROOMS = 20;
const LOADS = 4;
const LOAD_MS = 8000;
/** Pause before the first load, in which the house returns the memory of its start. */
const SETTLE_MS = 5000;
const DEFAULT_REST_SECONDS = 300;
/** Target: memory after the rest, as a multiple of the memory before the load. */
const TARGET_FACTOR = 1.5;
/**
 * Number of connections that are opened together. A larger group would overflow the queue of the
 * listening port.
 */
const GROUP = 50;
const PADDING = "x".repeat(500);

export const afterLoad: Bench = {
  name: "load",
  about: `memory that is left after ${LOADS} loads of ${READERS} readers and ${WRITERS} writers (PSS)`,
  isLong: true,
  async run(site, { restSeconds = DEFAULT_REST_SECONDS }) {
    if (!hasProc) return [{ what: "after the load", skipped: NEEDS_PROC }];
    await using folder = await temporaryFolder(site);
    await using house = await startHouse(site, folder.path);
    const weigh = async (): Promise<number> => pssOf(await treeOf(house.pid));
    await pause(SETTLE_MS);
    const before = await weigh();
    const rooms: RoomId[] = [];
    for (let index = 0; index < ROOMS; index += 1)
      rooms.push((await house.client.rooms.create({ name: `Room ${index}` })).id);
    let highest = 0;
    let posted = 0;
    let readBytes = 0;
    for (let load = 1; load <= LOADS; load += 1) {
      site.say(`load: ${load} of ${LOADS}`);
      const [round, done] = await Promise.all([watchRound(weigh, LOAD_MS), runLoadOnce(site, house, rooms)]);
      highest = Math.max(highest, round.highest);
      posted += done.posted;
      readBytes += done.readBytes;
    }
    const atEnd = await weigh();
    site.say(`load: resting ${restSeconds} s`);
    await pause(restSeconds * 1000);
    const after = await weigh();
    const figure = (what: string, value: number, note: string): Figure => ({
      what,
      value,
      unit: "MiB",
      samples: 1,
      note,
    });
    return [
      figure("idle, before the loads", before, "PSS of all processes of the house"),
      figure("under load, highest", highest, `${posted} messages posted, ${toMiB(readBytes)} MiB read`),
      figure("right after the last load", atEnd, "all readers and writers have disconnected"),
      {
        ...figure(`after ${restSeconds} s at rest`, after, `${(after / before).toFixed(2)} times idle`),
        target: { atMost: TARGET_FACTOR * before },
      },
    ];
  },
};

const toMiB = (bytes: number): number => Math.round(bytes / 1024 / 1024);

const runLoadOnce = async (
  site: Site,
  house: House,
  rooms: readonly RoomId[],
): Promise<{ readonly posted: number; readonly readBytes: number }> => {
  const readers: Reader[] = [];
  for (let index = 0; index < READERS; index += 1) {
    readers.push(await openReader(house, roomOf(rooms, index)));
    if (index % GROUP === GROUP - 1) await pause(20);
  }
  const writers = [];
  for (let index = 0; index < WRITERS; index += 1) writers.push(await openWriter(site, house));
  const endMs = sharedNow() + LOAD_MS;
  let posted = 0;
  const writing = writers.map(async (writer, index) => {
    while (sharedNow() < endMs) {
      await writer.post(roomOf(rooms, index), toText("load", PADDING));
      posted += 1;
    }
    await writer[Symbol.asyncDispose]();
  });
  await Promise.all(writing);
  const read = readers.map((reader) => reader.close());
  const idle = read.filter((bytes) => bytes === 0).length;
  if (idle > 0) throw new Error(`${idle} of ${READERS} readers received nothing.`);
  return { posted, readBytes: read.reduce((sum, bytes) => sum + bytes, 0) };
};

const roomOf = (rooms: readonly RoomId[], index: number): RoomId => {
  const room = rooms[index % rooms.length];
  if (room === undefined) throw new RangeError("There are no rooms.");
  return room;
};

interface Reader {
  /** Disconnects, and returns how many bytes were received. */
  close(): number;
}

/**
 * Opens a reader over a plain socket, because `fetch` allows fewer connections at the same time
 * than there are readers.
 */
const openReader = async (house: House, room: RoomId): Promise<Reader> => {
  const { hostname, port, host } = new URL(house.url);
  let bytes = 0;
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_socket, chunk) {
        bytes += chunk.length;
      },
    },
  });
  socket.write(
    [
      `GET /api/rooms/${room}/events HTTP/1.1`,
      `host: ${host}`,
      `authorization: Bearer ${house.token}`,
      "accept: text/event-stream",
      "",
      "",
    ].join("\r\n"),
  );
  return {
    close() {
      socket.terminate();
      return bytes;
    },
  };
};
