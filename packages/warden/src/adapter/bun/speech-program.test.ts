import { expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { isHearthError } from "@hearth/protocol";
import { createProgramSpeaker } from "../../models/voice/program-speaker.ts";
import { environmentOf } from "./env.ts";
import { createRunSpeech } from "./speech-program.ts";

const run = createRunSpeech(environmentOf);
const never = new AbortController().signal;
const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => "none",
    (error: unknown) => (isHearthError(error) ? error.code : String(error)),
  );

test("a program gets its input, and its output, its errors and its code are returned", async () => {
  const { code, output, errors } = await run(["sh", "-c", "cat; echo oops >&2; exit 3"], "$(text)", {
    maxBytes: 100,
    signal: never,
  });
  expect([code, new TextDecoder().decode(output), errors]).toEqual([3, "$(text)", "oops\n"]);
});

test("A43: a program that writes too much, or does not end, is ended", async () => {
  expect(await codeOf(run(["sh", "-c", "exec yes"], "", { maxBytes: 1000, signal: never }))).toBe("provider.malformed");
  const stop = new AbortController();
  const running = run(["sh", "-c", "exec sleep 1000"], "", { maxBytes: 1000, signal: stop.signal });
  stop.abort();
  expect((await running.catch(() => ({ code: undefined }))).code).toBeUndefined();
});

test("a program that is not installed is named", async () => {
  expect(await codeOf(run(["no-such-speaker"], "", { maxBytes: 1, signal: never }))).toBe("provider.unknown");
});

test("A43: a program gets none of the house's keys", async () => {
  const withKey = createRunSpeech((names) =>
    Object.fromEntries(
      Object.entries({ PATH: process.env["PATH"], API_KEY: "key" }).filter(([name]) => names.test(name)),
    ),
  );
  const { output } = await withKey(["sh", "-c", "env"], "", { maxBytes: 10_000, signal: never });
  expect(new TextDecoder().decode(output)).not.toContain("API_KEY");
});

test.skipIf(Bun.which("espeak-ng") === null)("espeak-ng speaks", async () => {
  const speaker = createProgramSpeaker({ fetch, clock: createBunClock(), run });
  const { type, bytes } = await speaker.speak({ text: "The shed is blue." }, never);
  expect([type, bytes.length > 10_000]).toEqual(["audio/wav", true]);
});
