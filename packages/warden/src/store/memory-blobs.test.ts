import { blobsConformance } from "./blobs.conformance.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";

blobsConformance("memory", () =>
  Promise.resolve({
    blobs: createMemoryBlobs((data) => new Bun.CryptoHasher("sha256").update(data).digest("hex")),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }),
);
