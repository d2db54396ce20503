/** What lets the holder of a wake report on it: derived from the subscription's own secret, so that nothing of it is kept. */
import type { HouseId, World } from "@hearth/protocol";

interface Ground {
  readonly house: string;
  readonly id: string;
  readonly secret: string;
}

export const makeToken = (hash: World["hash"], ground: Ground, generation: number): string =>
  `${ground.house}.${generation}.${proof(hash, ground, generation)}`;

/** What a token says it is for. It has still to be proved. */
export const readToken = (token: string): { readonly house: HouseId; readonly generation: number } | undefined => {
  const [house = "", generation = "", rest] = token.split(".");
  if (rest === undefined || !/^\d{1,15}$/.test(generation)) return undefined;
  return { house: house as HouseId, generation: Number(generation) };
};

/** Hashed once more before it is compared, so that the time that takes says nothing. */
export const isToken = (hash: World["hash"], ground: Ground, generation: number, token: string): boolean =>
  hash(token) === hash(makeToken(hash, ground, generation));

/** The secret comes twice: a hash of secret and text alone could be carried on. */
const proof = (hash: World["hash"], { house, id, secret }: Ground, generation: number): string =>
  hash(secret + hash(JSON.stringify([secret, house, id, generation])));
