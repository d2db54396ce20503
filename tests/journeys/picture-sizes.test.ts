/** Large photos of a message: the model gets a smaller picture, and a page gets a small version. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, eventsOf, type Json, startDaemon } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

const SEES = '[models."test/"]\nsees = true\n';
const MOST_BYTES = 3_750_000;

/** A photo of 3000 by 2000 pixels with noise, and EXIF data that turns it by a quarter. */
const createPhoto = async (): Promise<Uint8Array> => {
  const [width, height] = [3000, 2000];
  const bitmap = new Uint8Array(54 + width * height * 3);
  const view = new DataView(bitmap.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, bitmap.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  let seed = 1;
  for (let at = 54; at < bitmap.length; at += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    bitmap[at] = seed >> 16;
  }
  const jpeg = await new Bun.Image(bitmap).jpeg({ quality: 95 }).bytes();
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
  const exif = [...Buffer.from("Exif\0\0"), ...tiff];
  return Buffer.concat([Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2, ...exif), jpeg.subarray(2)]);
};

const picturesIn = ({ messages }: Json): readonly Uint8Array[] =>
  messages.flatMap(({ content }: Json) =>
    Array.isArray(content)
      ? content.flatMap(({ image_url: image }: Json) =>
          image === undefined ? [] : [Uint8Array.fromBase64(image.url.slice(image.url.indexOf(",") + 1))],
        )
      : [],
  );

test("a photo above the limits is scaled down for the model once, upright, and for a page", async () => {
  using home = createHome();
  await using model = createModel();
  model.answer = () => ["A field of noise."];
  writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${SEES}`);
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  const photo = await createPhoto();
  expect(photo.length).toBeGreaterThan(MOST_BYTES);
  const path = join(home.folder, "photo.jpg");
  writeFileSync(path, photo);

  const chat = await house.hearth("chat", "--file", path, "-m", "What is on the photo?");
  expect([chat.code, chat.stdout]).toEqual([0, expect.stringContaining("A field of noise.")]);
  expect(chat.stdout).not.toContain("Not shown to the model");
  await house.hearth("chat", "-m", "And now?");
  const [first, second] = model.requests.slice(-2).map((request) => picturesIn(request)[0]);
  if (first === undefined || second === undefined) throw new Error("the model got no picture");
  expect(first.length).toBeLessThanOrEqual(MOST_BYTES);
  expect(await new Bun.Image(first).metadata()).toEqual({ width: 1045, height: 1568, format: "jpeg" });
  expect(Buffer.compare(first, second)).toBe(0);

  const [file] = (await eventsOf(house, "main")).flatMap((event) => event.attachments ?? []);
  const address = `${house.url}/api/rooms/main/attachments/${file.id}/picture`;
  const ask = (token: string) => fetch(address, { headers: { authorization: `Bearer ${token}` }, proxy: false });
  const small = await ask(house.token);
  expect([small.status, small.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect(small.headers.get("content-disposition")).toStartWith("attachment;");
  expect(small.headers.get("content-security-policy")).toContain("sandbox");
  expect(await new Bun.Image(await small.bytes()).metadata()).toMatchObject({ width: 427, height: 640 });
  expect((await ask("wrong")).status).toBe(401);
}, 120_000);
