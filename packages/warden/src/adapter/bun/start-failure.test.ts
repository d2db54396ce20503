/** Tests that a start on a full disk reports that, whatever error the system or SQLite gives. */
import { expect, test } from "bun:test";
import { HearthError, isHearthError } from "@hearth/protocol";
import { toStartFailure } from "./start-failure.ts";

const coded = (code: string): Error => Object.assign(new Error(code), { code });
const unavailable = (cause?: Error): HearthError => new HearthError("store.unavailable", "The disk failed.", { cause });

test.each([
  ["no space", coded("ENOSPC"), 1],
  ["no quota", coded("EDQUOT"), 1],
  ["SQLite's own word, as a cause", unavailable(coded("SQLITE_FULL")), 1],
  ["an error of the disk while nothing is left of it", unavailable(coded("SQLITE_IOERR_WRITE")), 0],
])("%s is a full home", (_what, error, spare) => {
  const failure = toStartFailure("/home", error, () => spare);
  expect(isHearthError(failure, "home.full") && failure.message).toContain("/home is full");
  expect(isHearthError(failure, "home.full") && failure.cause).toBe(error);
});

test.each([
  ["an error of a disk with space left", unavailable(coded("SQLITE_IOERR_WRITE")), 4096],
  ["a port that is taken, on a full disk", new HearthError("server.port-taken", "Taken."), 0],
  ["a mistake of ours", new TypeError("undefined is not a function"), 0],
])("%s stays unchanged", (_what, error, spare) => {
  expect(toStartFailure("/home", error, () => spare)).toBe(error);
});
