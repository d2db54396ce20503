/** HMAC with SHA-256 (RFC 2104) over an injected hash, and constant-time comparison. */
import type { World } from "@hearth/protocol";

const BLOCK_SIZE = 64;

export const hmacSha256 = (hash: World["hash"], key: Uint8Array, message: Uint8Array): Uint8Array => {
  const fittedKey = key.length > BLOCK_SIZE ? fromHex(hash(key)) : key;
  const block = new Uint8Array(BLOCK_SIZE);
  block.set(fittedKey);
  const inner = hash(concat(padBlock(block, 0x36), message));
  return fromHex(hash(concat(padBlock(block, 0x5c), fromHex(inner))));
};

/** Compares in constant time, so that timing reveals nothing about the difference. */
export const timingSafeEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0;

const padBlock = (block: Uint8Array, pad: number): Uint8Array => block.map((byte) => byte ^ pad);

const concat = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const result = new Uint8Array(first.length + second.length);
  result.set(first);
  result.set(second, first.length);
  return result;
};

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
