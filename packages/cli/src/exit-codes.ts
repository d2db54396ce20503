/**
 * Exit codes of the process. The launcher adds 10 to 13 (see scripts/setup.sh). An unhandled signal
 * ends the process with 128 plus the signal's number.
 */
import type { ErrorCode } from "@hearth/protocol";

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notRunning: 3,
  notAllowed: 4,
  portTaken: 14,
  homeReadOnly: 15,
  homeForeign: 16,
  homeInUse: 17,
  configInvalid: 18,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Exit codes by error code. Other errors exit with `failed`. */
const exitCodeByError: Partial<Record<ErrorCode, ExitCode>> = {
  "house.unreachable": exitCodes.notRunning,
  "house.closing": exitCodes.notRunning,
  "auth.missing": exitCodes.notAllowed,
  "auth.invalid": exitCodes.notAllowed,
  "auth.origin": exitCodes.notAllowed,
  "auth.host": exitCodes.notAllowed,
  "auth.denied": exitCodes.notAllowed,
  "auth.stale": exitCodes.notAllowed,
  "grant.exceeds": exitCodes.notAllowed,
  "server.port-taken": exitCodes.portTaken,
  "home.read-only": exitCodes.homeReadOnly,
  "home.full": exitCodes.homeReadOnly,
  "home.foreign": exitCodes.homeForeign,
  "store.foreign": exitCodes.homeForeign,
  "home.in-use": exitCodes.homeInUse,
  "store.locked": exitCodes.homeInUse,
  "config.invalid": exitCodes.configInvalid,
};

export const toExitCode = (code: ErrorCode): ExitCode => exitCodeByError[code] ?? exitCodes.failed;
