/** Conformance tests of transcribers, against answers in the documented shape. */
import { describe, expect, test } from "bun:test";
import { expectFailure, never, open, wireFailures } from "./failures.conformance.ts";
import type { Recording, Transcript, TranscriberFactory } from "./transcriber.ts";

export interface TranscriberHarness {
  readonly factory: TranscriberFactory;
  /** The server's answer for this transcript. Absent: there is no server, and the audio is the text. */
  readonly answer?: (text: string) => object;
  /** What the transcriber reads from `answer("Where is the shed?")`. */
  readonly expected: Transcript;
  /** Checks the request for this recording. */
  readonly check?: (request: Request, recording: Recording) => Promise<void> | void;
}

const SAID = "Where is the shed?";

const recordingOf = (text: string): Recording => ({
  bytes: new TextEncoder().encode(text),
  type: "audio/wav",
  name: "audio.wav",
  language: "en",
});

export const transcriberConformance = (name: string, harness: TranscriberHarness): void => {
  const { factory, answer, expected, check } = harness;
  const server = (text: string) => open(() => (answer === undefined ? new Response() : Response.json(answer(text))));

  describe(`${name}: the contract of a transcriber`, () => {
    test("the text, the language and the segments are read, without white space around them", async () => {
      const { options, requests } = server(SAID);
      expect(await factory(options).transcribe(recordingOf(SAID), never)).toEqual(expected);
      expect(requests).toHaveLength(answer === undefined ? 0 : 1);
      for (const request of requests) await check?.(request, recordingOf(SAID));
    });

    test("audio without speech is refused", async () => {
      const { options } = server(" ");
      const text = await expectFailure(factory(options).transcribe(recordingOf(" "), never), "provider.refused");
      expect(text).toContain("No speech");
    });

    test("a signal that has aborted ends the call before the request", async () => {
      const { options, requests } = server(SAID);
      await expectFailure(factory(options).transcribe(recordingOf(SAID), AbortSignal.abort()), "provider.aborted");
      expect(requests).toEqual([]);
    });

    if (answer !== undefined) {
      test("JSON without a transcript is provider.malformed", async () => {
        const { options } = open(() => Response.json({ task: "transcribe", text: 7 }));
        await expectFailure(factory(options).transcribe(recordingOf(SAID), never), "provider.malformed");
      });
      wireFailures(name, (options, signal) => factory(options).transcribe(recordingOf(SAID), signal));
    }
  });
};
