import { UNREFERENCED_MS } from "./blobs.ts";
import { blobsConformance } from "./conformance/blobs.conformance.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

blobsConformance("memory", () => {
  let now = 0;
  return Promise.resolve({
    blobs: createMemoryBlobs(hash, () => now),
    age: () => Promise.resolve(void (now += UNREFERENCED_MS)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});
