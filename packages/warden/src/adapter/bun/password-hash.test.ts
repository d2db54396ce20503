import { expect, test } from "bun:test";
import { passwordHashConformance } from "../../people/credentials/password-hash.conformance.ts";
import { createBunPasswordHash } from "./password-hash.ts";

passwordHashConformance("argon2id", createBunPasswordHash);

test("hashes are argon2id with at least OWASP's parameters, and the decoy costs the same work", async () => {
  const { hash, decoy } = createBunPasswordHash();
  const kept = await hash("correct horse");
  const parameters = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/;
  const [, memory, passes, salt, digest] = parameters.exec(kept) ?? [];
  expect(Number(memory)).toBeGreaterThanOrEqual(19 * 1024);
  expect(Number(passes)).toBeGreaterThanOrEqual(2);
  expect(decoy.split("$").slice(0, 4)).toEqual(kept.split("$").slice(0, 4));
  const [, , , decoySalt, decoyDigest] = parameters.exec(decoy) ?? [];
  expect([decoySalt?.length, decoyDigest?.length]).toEqual([salt?.length, digest?.length]);
});

test("verifying passwords does not block the event loop", async () => {
  const { decoy, verify } = createBunPasswordHash();
  let isOver = false;
  const work = Promise.all(Array.from({ length: 4 }, () => verify("correct horse", decoy))).finally(() => {
    isOver = true;
  });
  let turns = 0;
  while (!isOver) {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await work;
  expect(turns).toBeGreaterThan(20);
});
