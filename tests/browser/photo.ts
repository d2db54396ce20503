/** Makes a photo for tests that attach files. */
import { deflateSync } from "node:zlib";

const crc = (bytes: Uint8Array): number => Bun.hash.crc32(bytes);

/** A PNG of one colour, with a text that names a place. */
export const picture = (width: number, height: number): Buffer => {
  const chunk = (name: string, content: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name), content]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([size, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x5a)]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("tEXt", Buffer.from("Comment\0taken at home")),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

export const PHOTO = { name: "garden.png", mimeType: "image/png", buffer: picture(640, 400) };
