/** A fast password hash for tests, which counts the work that the real one would do. */
import type { World } from "@hearth/protocol";
import type { PasswordHash } from "./password-hash.ts";

export interface FakePasswordHash extends PasswordHash {
  /** Returns the number of verifications. */
  verificationCount(): number;
  /** The maximum of concurrent operations so far. */
  maxConcurrent(): number;
}

export const createFakePasswordHash = ({ hash }: Pick<World, "hash">): FakePasswordHash => {
  let salts = 0;
  let verificationCount = 0;
  let inFlight = 0;
  let maxInFlight = 0;

  const runCounted = async <Value>(compute: () => Value): Promise<Value> => {
    inFlight += 1;
    maxInFlight = Math.max(maxInFlight, inFlight);
    await Promise.resolve();
    inFlight -= 1;
    return compute();
  };

  return {
    decoy: "fake$decoy$",
    hash: (text) =>
      runCounted(() => {
        salts += 1;
        return `fake$${salts}$${hash(`${salts}$${text}`)}`;
      }),
    verify: (text, stored) =>
      runCounted(() => {
        verificationCount += 1;
        const [, salt, digest] = stored.split("$");
        if (digest === undefined) throw new Error("the stored text is not a hash");
        return digest === hash(`${salt}$${text}`);
      }),
    verificationCount: () => verificationCount,
    maxConcurrent: () => maxInFlight,
  };
};
