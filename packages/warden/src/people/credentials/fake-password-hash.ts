/** A fast password hash for tests, which counts the work that the real one would do. */
import type { World } from "@hearth/protocol";
import type { PasswordHash } from "./password-hash.ts";

export interface FakePasswordHash extends PasswordHash {
  /** The number of verifications. */
  verified(): number;
  /** The maximum of concurrent operations so far. */
  mostAtOnce(): number;
}

export const createFakePasswordHash = ({ hash }: Pick<World, "hash">): FakePasswordHash => {
  let salts = 0;
  let verified = 0;
  let inFlight = 0;
  let most = 0;

  const work = async <Value>(give: () => Value): Promise<Value> => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await Promise.resolve();
    inFlight -= 1;
    return give();
  };

  return {
    decoy: "fake$decoy$",
    hash: (text) =>
      work(() => {
        salts += 1;
        return `fake$${salts}$${hash(`${salts}$${text}`)}`;
      }),
    verify: (text, stored) =>
      work(() => {
        verified += 1;
        const [, salt, digest] = stored.split("$");
        if (digest === undefined) throw new Error("what is kept is no hash");
        return digest === hash(`${salt}$${text}`);
      }),
    verified: () => verified,
    mostAtOnce: () => most,
  };
};
