/** A small picture: a bitmap of one colour, converted to PNG. */
const HEADER_BYTES = 54;
const SIDE = 16;

export const toPicture = async (): Promise<Uint8Array> => {
  const bitmap = new Uint8Array(HEADER_BYTES + SIDE * SIDE * 3).fill(120, HEADER_BYTES);
  const view = new DataView(bitmap.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, bitmap.length, true);
  view.setUint32(10, HEADER_BYTES, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, SIDE, true);
  view.setInt32(22, SIDE, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  return new Bun.Image(bitmap).png().bytes();
};
