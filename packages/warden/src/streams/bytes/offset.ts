/**
 * Offsets as they stand in addresses: of one width, so that texts compare like numbers. The second number is where in a chunk; no
 * offset of ours lies within one.
 */

const WIDTH = 16;
const START = "0".repeat(WIDTH);

export const formatOffset = (offset: number): string => `${String(offset).padStart(WIDTH, "0")}_${START}`;

/** Nothing for what is no offset. */
export const parseOffset = (text: string): number | undefined => {
  const offset = /^(\d{16})_0{16}$/.exec(text)?.[1];
  return offset === undefined || Number(offset) > Number.MAX_SAFE_INTEGER ? undefined : Number(offset);
};
