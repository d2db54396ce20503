/** Time-based codes of authenticator apps (RFC 6238): six digits that change every 30 seconds. */
import { Secret, TOTP } from "otpauth";

const PERIOD_SECONDS = 30;
/** Codes of the neighbouring time steps are accepted, because clocks differ. */
const WINDOW_STEPS = 1;
/** RFC 4226 recommends 160 bits. */
export const SEED_SIZE_BYTES = 20;
export const CODE_PATTERN = /^\d{6}$/;

export const toSeed = (bytes: Uint8Array): string => new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;

/** Returns the `otpauth:` URI that an authenticator app reads. */
export const toUri = (seed: string, issuer: string, label: string): string =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(seed), period: PERIOD_SECONDS }).toString();

/** Returns the time step of the code, or undefined if the code is not valid now. */
export const stepOf = (seed: string, code: string, nowMs: number): number | undefined => {
  const totp = new TOTP({ secret: Secret.fromBase32(seed), period: PERIOD_SECONDS });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp: nowMs }) + delta;
};
