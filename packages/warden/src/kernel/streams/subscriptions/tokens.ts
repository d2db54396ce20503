/**
 * Tokens that authorise a wake's holder to report on it. They are derived from the subscription's
 * secret, so they are not stored.
 */
import type { HouseId, World } from "@hearth/protocol";

interface TokenSubject {
  readonly house: string;
  readonly id: string;
  readonly secret: string;
}

export const deriveToken = (hash: World["hash"], subject: TokenSubject, generation: number): string =>
  `${subject.house}.${generation}.${macOf(hash, subject, generation)}`;

/** Parses a token without verifying it. */
export const readToken = (token: string): { readonly house: HouseId; readonly generation: number } | undefined => {
  const [house = "", generation = "", mac] = token.split(".");
  if (mac === undefined || !/^\d{1,15}$/.test(generation)) return undefined;
  return { house: house as HouseId, generation: Number(generation) };
};

/** Whether the token is valid. Compares hashes, so that the timing reveals nothing. */
export const isToken = (hash: World["hash"], subject: TokenSubject, generation: number, token: string): boolean =>
  hash(token) === hash(deriveToken(hash, subject, generation));

/**
 * Returns the authentication code of a token. Hashes the secret twice, because a single hash of
 * secret and text could be extended.
 */
const macOf = (hash: World["hash"], { house, id, secret }: TokenSubject, generation: number): string =>
  hash(secret + hash(JSON.stringify([secret, house, id, generation])));
