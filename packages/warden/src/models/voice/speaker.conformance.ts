/** Conformance tests of speakers. */
import { describe, expect, test } from "bun:test";
import { expectFailure, never, open } from "./failures.conformance.ts";
import type { SpeakerFactory, Speech } from "./speaker.ts";

export interface SpeakerHarness {
  readonly factory: SpeakerFactory;
  /** The server's answer. Absent: there is no server. */
  readonly answer?: () => Response;
  readonly type: Speech["type"];
}

export const speakerConformance = (name: string, { factory, answer, type }: SpeakerHarness): void => {
  describe(`${name}: the contract of a speaker`, () => {
    test("text becomes audio of the type", async () => {
      const { options } = open(answer ?? (() => new Response()));
      const speech = await factory(options).speak({ text: "The shed is -- blue." }, never);
      expect(speech.type).toBe(type);
      expect(speech.bytes.length).toBeGreaterThan(44);
      if (type !== "audio/wav") return;
      const view = new DataView(speech.bytes.buffer);
      expect(new TextDecoder().decode(speech.bytes.slice(0, 4))).toBe("RIFF");
      expect(view.getUint32(4, true)).toBe(speech.bytes.length - 8);
    });

    test("a signal that has aborted ends the call", async () => {
      const { options, requests } = open(answer ?? (() => new Response()));
      await expectFailure(factory(options).speak({ text: "Hello." }, AbortSignal.abort()), "provider.aborted");
      expect(requests).toEqual([]);
    });
  });
};
