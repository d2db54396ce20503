import { expect, test } from "bun:test";
import { isToken, deriveToken, readToken } from "./tokens.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const ground = { house: "house_1", id: "s", secret: "x" };

test("a token names its house and generation, and is valid only for its subscription", () => {
  const token = deriveToken(hash, ground, 12);
  expect(readToken(token)).toEqual({ house: "house_1" as never, generation: 12 });
  expect(isToken(hash, ground, 12, token)).toBe(true);
  expect(isToken(hash, ground, 13, token)).toBe(false);
  for (const other of [{ house: "house_2" }, { id: "t" }, { secret: "y" }])
    expect(isToken(hash, { ...ground, ...other }, 12, token)).toBe(false);
  expect(isToken(hash, ground, 12, `${token}0`)).toBe(false);
});

test("other texts are not tokens", () => {
  for (const text of ["", "house_1", "house_1.1", "house_1.x.proof", "house_1.-1.proof", "house_1..proof"])
    expect([text, readToken(text)]).toEqual([text, undefined]);
  expect(readToken(`house_1.${"9".repeat(16)}.proof`)).toBeUndefined();
});
