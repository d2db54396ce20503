import { expect, test } from "bun:test";
import { detectMedia } from "./media-type.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEUlEQVR4nGP8z8DAwMDABCIBAA4IAQRuBcCLAAAAAElFTkSuQmCC",
);

test("the type follows from the content, with the dimensions of a picture", async () => {
  expect(await detectMedia(PNG)).toEqual({ type: "image/png", width: 3, height: 2 });
  expect(await detectMedia(bytes("%PDF-1.7\n%âãÏÓ\n"))).toEqual({ type: "application/pdf" });
});

test.each([16, 20])("a picture without a width or a height has no dimensions", async (at) => {
  const empty = PNG.slice();
  empty.fill(0, at, at + 4);
  expect(await detectMedia(empty)).toEqual({ type: "image/png" });
});

/** A JPEG of 3 by 2 pixels with this orientation in its EXIF data. */
const turnedPhoto = (orientation: number): Uint8Array => {
  const exif = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const header = [0xff, 0xe1, 0, exif.length + 8, ...bytes("Exif\0\0"), ...exif];
  const frame = [0xff, 0xc0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0];
  return Uint8Array.of(0xff, 0xd8, ...header, ...frame, 0xff, 0xd9);
};

test("a picture that is shown turned by a quarter has the dimensions that people see", async () => {
  for (const orientation of [1, 2, 3, 4])
    expect(await detectMedia(turnedPhoto(orientation))).toEqual({ type: "image/jpeg", width: 3, height: 2 });
  for (const orientation of [5, 6, 7, 8])
    expect(await detectMedia(turnedPhoto(orientation))).toEqual({ type: "image/jpeg", width: 2, height: 3 });
});

test.each([
  ["words", "héllo, wörld\n"],
  ["HTML", "<!doctype html><script>alert(1)</script>"],
  ["a picture of markup", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ["a script", "#!/bin/sh\nrm -rf /\n"],
])("%s is plain text", async (_what, text) => {
  expect(await detectMedia(bytes(text))).toEqual({ type: "text/plain" });
});

test("a character that is cut at the end does not make a text binary", async () => {
  expect(await detectMedia(bytes("tschüß").slice(0, -1))).toEqual({ type: "text/plain" });
});

test("other bytes are binary, also those that only begin like a type", async () => {
  expect(await detectMedia(Uint8Array.of(0, 1, 2, 3))).toEqual({ type: "application/octet-stream" });
  expect(await detectMedia(Uint8Array.of(0xff, 0xfe, 0xfd))).toMatchObject({
    type: expect.stringMatching(/octet|utf/),
  });
  for (let length = 1; length < PNG.length; length += 1)
    expect((await detectMedia(PNG.slice(0, length))).type).toMatch(
      /^(image\/png|image\/apng|application\/octet-stream)$/,
    );
});

test.each([
  [[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b, 0x20, 0x7e], "text/plain"],
  [[0x00, 0x08, 0x0e, 0x1a, 0x1c, 0x1f, 0x7f], "application/octet-stream"],
])("a file with one of the characters %j is %s", async (codes, type) => {
  for (const code of codes)
    expect([code, await detectMedia(bytes(`a${String.fromCharCode(code)}b`))]).toEqual([code, { type }]);
});
