import { createHash } from "node:crypto";
import type { MemorySource } from "@hearth/protocol";
import { createMemoryBackend, type MemoryKind } from "./backends.ts";
import { type MemoryBackendHarness, memoryBackendConformance } from "./memory-backend.conformance.ts";

/** Neither backend may start a process. */
const open =
  (kind: MemoryKind) =>
  (source: MemorySource): MemoryBackendHarness => {
    const hash = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
    const start = (): never => {
      throw new Error("a process was started");
    };
    const backend = createMemoryBackend(kind, { source, hash, start, idleMs: 1 });
    return { backend, [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose]() };
  };

memoryBackendConformance("markdown", open("markdown"), "lexical");
memoryBackendConformance("none", open("none"), "none");
