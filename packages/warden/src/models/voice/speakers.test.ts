import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { expectFailure, KEY, never, open, wireFailures } from "./failures.conformance.ts";
import { createMemorySpeaker, toWave } from "./memory-speaker.ts";
import { createOpenAISpeaker } from "./openai-speaker.ts";
import { createProgramSpeaker } from "./program-speaker.ts";
import { speakerConformance } from "./speaker.conformance.ts";
import type { ProgramResult, RunSpeech } from "./speaker.ts";

const mp3 = (): Response => new Response(new Uint8Array(100), { headers: { "content-type": "audio/mpeg" } });

speakerConformance("openai", { factory: createOpenAISpeaker, answer: mp3, type: "audio/mpeg" });
wireFailures("openai", (options, signal) => createOpenAISpeaker(options).speak({ text: "Hello." }, signal));

test("openai: the request has the model, the voice and the text", async () => {
  const { options, requests } = open(mp3);
  await createOpenAISpeaker(options).speak({ text: "Hello.", voice: "coral" }, never);
  const [request] = requests;
  expect(request?.url).toBe("http://voice.test/v1/audio/speech");
  expect(request?.headers.get("authorization")).toBe(`Bearer ${KEY}`);
  expect(await request?.json()).toEqual({
    model: "gpt-4o-mini-tts",
    voice: "coral",
    input: "Hello.",
    response_format: "mp3",
  });
});

speakerConformance("in memory", { factory: createMemorySpeaker, type: "audio/wav" });

test("the header of a WAV says one channel of 8-bit samples, 8,000 a second", () => {
  const view = new DataView(toWave(new Uint8Array(200)).buffer);
  const [format, channels, align, bits] = [20, 22, 32, 34].map((at) => view.getUint16(at, true));
  const [size, rate, bytesPerSecond, dataSize] = [4, 24, 28, 40].map((at) => view.getUint32(at, true));
  expect({ format, channels, align, bits }).toEqual({ format: 1, channels: 1, align: 1, bits: 8 });
  expect({ size, rate, bytesPerSecond, dataSize }).toEqual({
    size: 236,
    rate: 8000,
    bytesPerSecond: 8000,
    dataSize: 200,
  });
});

/** A WAV as a program writes it to a pipe: with a size that it does not know. */
const streamed = (): Uint8Array<ArrayBuffer> => {
  const wave = toWave(new Uint8Array(200));
  const view = new DataView(wave.buffer);
  view.setUint32(4, 0x7ffff024, true);
  view.setUint32(40, 0x7ffff000, true);
  return wave;
};

const ran = (over: Partial<ProgramResult> = {}): ProgramResult => ({
  code: 0,
  output: streamed(),
  errors: "",
  ...over,
});
const programOf = (run: RunSpeech) => (options: Parameters<typeof createProgramSpeaker>[0]) =>
  createProgramSpeaker({ ...options, run });

speakerConformance("a program", { factory: programOf(async () => ran()), type: "audio/wav" });

test("A43: a program gets the text on stdin, and options that no text can change", async () => {
  const commands: unknown[] = [];
  const { clock } = createFakeWorld({ hash: () => "" });
  const run: RunSpeech = async (command, input) => {
    commands.push([command, input]);
    return ran();
  };
  const { fetch } = open(() => undefined);
  await createProgramSpeaker({ fetch, clock, run }).speak({ text: "--help", voice: "de" }, never);
  await createProgramSpeaker({ fetch, clock, run, program: "/opt/piper", model: "en.onnx" }).speak(
    { text: "x" },
    never,
  );
  expect(commands).toEqual([
    [["espeak-ng", "--stdin", "--stdout", "-v", "de"], "--help"],
    [["/opt/piper", "--model", "en.onnx", "--output_file", "-"], "x"],
  ]);
});

test("espeak-ng reads a text with a voice of its language, and keeps the variant of the voice", async () => {
  const voices: unknown[] = [];
  const { options } = open(() => undefined);
  const run: RunSpeech = async (command) => {
    voices.push(command.slice(3).at(-1));
    return ran();
  };
  const speaker = createProgramSpeaker({ ...options, run });
  const say = (voice?: string, language?: string) =>
    speaker.speak(
      { text: "x", ...(voice === undefined ? {} : { voice }), ...(language === undefined ? {} : { language }) },
      never,
    );
  await say(undefined, "de");
  await say("en", "de");
  await say("en-us+f3", "de");
  await say("en-us+f3", "en");
  await say("mb-de4", "de");
  await say("mb-en1", "de");
  await say("Storm", "de");
  await say("en", "zh");
  await say("en");
  await say();
  expect(voices).toEqual(["de", "de", "de+f3", "en-us+f3", "mb-de4", "de", "Storm", "cmn", "en", undefined]);
});

test("the header of a streamed WAV gets its real sizes", async () => {
  const { options } = open(() => undefined);
  const { bytes } = await programOf(async () => ran())(options).speak({ text: "Hello." }, never);
  expect(bytes).toEqual(toWave(new Uint8Array(200)));
});

test("a program that fails, writes no audio, or does not end, is an error with its reason", async () => {
  const { options, world } = open(() => undefined);
  const speak = (run: RunSpeech) => programOf(run)(options).speak({ text: "Hello." }, never);
  const failed = ran({ code: 1, output: new Uint8Array(), errors: "first\nno voice xx\n" });
  expect(
    await expectFailure(
      speak(async () => failed),
      "provider.failed",
    ),
  ).toContain("code 1, and said: no voice xx");
  await expectFailure(
    speak(async () => ran({ output: new Uint8Array(100) })),
    "provider.failed",
  );
  const endless: RunSpeech = (_command, _input, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("ended"))));
  const failing = expectFailure(speak(endless), "provider.timeout");
  await world.advance(120_000);
  await failing;
});

test("an unknown program is refused, and a house without programs says so", async () => {
  const { options } = open(() => undefined);
  const speaker = createProgramSpeaker({ ...options, run: async () => ran(), program: "rm" });
  await expectFailure(speaker.speak({ text: "x" }, never), "provider.unknown");
  await expectFailure(createProgramSpeaker(options).speak({ text: "x" }, never), "provider.unknown");
});
