/**
 * Measures a room with 500 pictures: the time to open it, and the response time of /healthz while the
 * house makes their small versions.
 */
import { join } from "node:path";
import type { Finding } from "./bench.ts";
import { pause } from "./clock.ts";
import { type House, startHouse } from "./house.ts";
import { loopback } from "./loopback.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";
import { show } from "./table.ts";

const PICTURES = 500;
const PER_MESSAGE = 20;
/** Requests of a browser at a time. */
const AT_A_TIME = 6;
/** Pictures in the part of the room that a browser shows first. */
const VISIBLE = 12;
const MOST_OPENING_MS = 300;
const MOST_STALL_MS = 20;
const OPENINGS = 10;
const EVERY_MS = 5;
const CALM_MS = 2000;
const [WIDTH, HEIGHT] = [1600, 1200];
const EVENTS = 100;

export const measureRoom = async (site: Site): Promise<readonly Finding[]> => {
  await using folder = await temporaryFolder(site);
  await using house = await startHouse(site, join(folder.path, "home"));
  site.say(`media: sending ${PICTURES} pictures`);
  const ids = await furnish(house);
  const calm = await watchWhile(house, () => pause(CALM_MS));
  site.say("media: making their small versions");
  const began = performance.now();
  const busy = await watchWhile(house, () => requestAll(house, ids));
  const madeMs = performance.now() - began;
  const openings: number[] = [];
  for (let nth = 0; nth < OPENINGS; nth += 1) openings.push(await open(house, ids));
  // The base of the machine, which both waits contain.
  const base = percentile(calm, 99);
  return [
    {
      what: `opening a room with ${PICTURES} pictures`,
      value: percentile(openings, 50),
      unit: "ms",
      samples: OPENINGS,
      target: { atMost: MOST_OPENING_MS },
      note: `p50; the events and ${VISIBLE} small pictures; max ${show(percentile(openings, 100))}`,
    },
    {
      what: "stall while small pictures are made",
      value: Math.max(0, percentile(busy, 99) - base),
      unit: "ms",
      samples: busy.length,
      target: { atMost: MOST_STALL_MS },
      note: `p99 of /healthz minus ${show(base)} ms without load; max ${show(percentile(busy, 100))}; ${show(madeMs / PICTURES)} ms a picture`,
    },
  ];
};

/** Sends messages with pictures of different content. Returns the ids of the pictures. */
const furnish = async (house: House): Promise<readonly string[]> => {
  const uploads = await house.client.uploads();
  const ids: string[] = [];
  for (let first = 0; first < PICTURES; first += PER_MESSAGE) {
    const attachments: string[] = [];
    for (let nth = first; nth < first + PER_MESSAGE; nth += 1) {
      const bytes = await makePicture(nth);
      const read = async (from: number, to: number) => bytes.slice(from, to) as Uint8Array<ArrayBuffer>;
      attachments.push((await uploads.send({ name: `${nth}.jpg`, sizeBytes: bytes.length, read })).id);
    }
    await house.client.rooms.post("main", { text: "", attachments });
    ids.push(...attachments);
  }
  return ids;
};

/** A photo with a gradient and some noise. Each number gives other bytes. */
const makePicture = (number: number): Promise<Uint8Array> => {
  const bitmap = new Uint8Array(54 + WIDTH * HEIGHT * 3);
  const view = new DataView(bitmap.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, bitmap.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, WIDTH, true);
  view.setInt32(22, HEIGHT, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let at = 54; at < bitmap.length; at += 1) bitmap[at] = ((at >> 12) + number * 7 + ((at * 31) & 15)) & 255;
  return new Bun.Image(bitmap).jpeg({ quality: 85 }).bytes();
};

const requestPicture = async ({ url, token }: House, id: string): Promise<void> => {
  const address = `${url}/api/rooms/main/attachments/${id}/picture`;
  const response = await loopback(address, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The small picture ${id} was answered with ${response.status}.`);
};

const requestAll = async (house: House, ids: readonly string[]): Promise<void> => {
  const left = [...ids];
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await requestPicture(house, id);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
};

/** Does what a browser does when a person opens the room. Returns its duration. */
const open = async (house: House, ids: readonly string[]): Promise<number> => {
  const began = performance.now();
  await house.client.rooms.events("main", { before: "end", limit: EVENTS });
  await requestAll(house, ids.slice(-VISIBLE));
  return performance.now() - began;
};

/** Requests /healthz until the work is done. Returns the response times. */
const watchWhile = async ({ url }: House, work: () => Promise<unknown>): Promise<readonly number[]> => {
  const times: number[] = [];
  const state = { isOver: false };
  const watching = (async () => {
    while (!state.isOver) {
      const began = performance.now();
      await (await loopback(`${url}/healthz`)).text();
      times.push(performance.now() - began);
      await pause(EVERY_MS);
    }
  })();
  try {
    await work();
  } finally {
    state.isOver = true;
    await watching;
  }
  return times;
};
