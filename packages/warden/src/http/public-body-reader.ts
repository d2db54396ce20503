/**
 * Reads the bodies of requests that need no credential. Their senders are not authenticated yet, so
 * a body is small, arrives quickly, and few are read at once.
 */
import type { Clock } from "@hearth/protocol";
import { createSemaphore } from "../people/index.ts";
import { type BodyLimits, readText } from "./body.ts";

const PUBLIC_BODY_LIMITS: BodyLimits = { maxSize: 8 * 1024, timeoutMs: 5_000 };
export const MAX_PUBLIC_BODIES = 32;

export interface BodyReader {
  /** Throws `auth.limited` at once if too many are being read. */
  read(request: Request, type: string): Promise<string>;
}

export const createPublicBodyReader = (clock: Clock): BodyReader => {
  const bodies = createSemaphore({ maxConcurrent: MAX_PUBLIC_BODIES, maxQueued: 0 });
  return { read: (request, type) => bodies.pass(() => readText(request, type, clock, PUBLIC_BODY_LIMITS)) };
};
