/** Orders test files: the slowest start first, so that none runs alone at the end. */

/** Approximate seconds on two idle cores. Other files take less than ten seconds. */
const SECONDS: Readonly<Record<string, number>> = {
  "tests/simulation/enumeration.test.ts": 300,
  "tests/simulation/simulation.test.ts": 300,
  "tests/simulation/mutants.test.ts": 150,
  "packages/warden/src/adapter/bun/cells/limits.test.ts": 120,
  "packages/warden/src/adapter/bun/cells/qemu/qemu.test.ts": 60,
  "tests/browser/looks.test.ts": 55,
  "tests/journeys/kills.test.ts": 50,
  "tests/browser/hostile.test.ts": 48,
  "tests/browser/brain.test.ts": 47,
  "tests/browser/members.test.ts": 46,
  "packages/warden/src/adapter/bun/cells/escapes.test.ts": 45,
  "tests/journeys/private.test.ts": 43,
  "tests/journeys/security.test.ts": 42,
  "packages/warden/src/adapter/bun/cells/qemu/mark.test.ts": 40,
  "tests/browser/late-parts.test.ts": 38,
  "tests/journeys/audit.test.ts": 33,
  "tests/journeys/heartbeats.test.ts": 31,
  "tests/browser/approvals.test.ts": 30,
  "tests/browser/second-thoughts.test.ts": 29,
  "tests/journeys/bad-input.test.ts": 28,
  "tests/peers/durable-streams.test.ts": 27,
  "tests/journeys/job-kills.test.ts": 27,
  "tests/browser/chat.test.ts": 26,
  "tests/journeys/forgetting.test.ts": 26,
  "packages/warden/src/adapter/bun/power.test.ts": 25,
  "tests/browser/jobs.test.ts": 24,
  "tests/journeys/starts.test.ts": 23,
  "tests/browser/other-model.test.ts": 22,
  "tests/journeys/memory-embedder.test.ts": 22,
  "tests/journeys/telegram.test.ts": 21,
  "tests/browser/tab-order.test.ts": 20,
  "tests/house/imports.test.ts": 20,
  "tests/journeys/before-login.test.ts": 20,
  "tests/journeys/egress.test.ts": 19,
  "tests/browser/returning.test.ts": 18,
  "packages/warden/src/adapter/bun/sqlite.test.ts": 17,
  "tests/journeys/secrets.test.ts": 16,
  "tests/browser/first-run.test.ts": 15,
  "tests/browser/jobs-heartbeat.test.ts": 15,
  "tests/browser/stops.test.ts": 15,
  "tests/journeys/memory.test.ts": 14,
  "tests/browser/long-room.test.ts": 14,
  "packages/warden/src/adapter/bun/secrets/key-sources.test.ts": 13,
  "tests/journeys/full-disk.test.ts": 13,
  "packages/cli/src/needs.test.ts": 12,
  "tests/journeys/logins.test.ts": 12,
  "tests/journeys/machine.test.ts": 11,
  "tests/journeys/followers.test.ts": 10,
};

export const namedFiles: readonly string[] = Object.keys(SECONDS);

/**
 * Returns timings in the runner's format. The runner starts files without a timing first, so every
 * file gets one.
 */
export const timingsOf = (files: readonly string[]): string =>
  JSON.stringify({ version: 1, files: Object.fromEntries(files.map((file) => [file, (SECONDS[file] ?? 1) * 1000])) });
