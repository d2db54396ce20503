import { expect, test } from "bun:test";
import { BEGIN_LENGTH, decodeParameters, encodeParameters, SEED_LENGTH } from "./wire.ts";

test("a `Begin` message decodes unchanged and has a fixed length", () => {
  const seed = Uint8Array.from({ length: SEED_LENGTH }, (_, index) => 255 - index);
  for (const begin of [
    { at: 1_795_309_339_530, processes: 256, fileMiB: 1024, seed },
    { at: 0, processes: 1, fileMiB: 4_294_967_295, seed: seed.toReversed() },
  ]) {
    const bytes = encodeParameters(begin);
    expect(bytes).toHaveLength(BEGIN_LENGTH);
    expect(decodeParameters(bytes)).toEqual(begin);
    // The bytes may be a view of a longer buffer.
    expect(decodeParameters(Buffer.concat([Buffer.from("before"), bytes, Buffer.from("after")]).subarray(6))).toEqual(
      begin,
    );
  }
});
