/**
 * Creates the configured transcriber and speaker. Keys are read at each call and not kept in
 * memory.
 */
import {
  type ConfigSource,
  readReference,
  type ReferenceSources,
  type SpeakConfig,
  type TranscribeConfig,
} from "../../kernel/index.ts";
import { HearthError, lazy, type World } from "@hearth/protocol";
import { OPENAI_URL } from "../catalog/known.ts";
import { readMediaState } from "../media/media-state.ts";
import { deepgram } from "./described-transcriber.ts";
import { OPENAI_SPEAK_MODEL } from "./openai-speaker.ts";
import { OPENAI_TRANSCRIBE_MODEL } from "./openai-transcriber.ts";
import { minutesAtMost, pricePerMillion, pricePerMinute, type VoicePrice } from "./prices.ts";
import { ESPEAK } from "./program-speaker.ts";
import type { RunSpeech } from "./speaker.ts";
import { speakers, transcribers } from "./table.ts";
import type { WireOptions } from "../wires/vendor-call.ts";
import type { Voice, VoicePart } from "./voice.ts";
import { WHISPER_URL } from "./whisper-transcriber.ts";

export interface HouseVoiceOptions {
  readonly world: Pick<World, "fetch" | "clock">;
  readonly config: Pick<ConfigSource, "current">;
  readonly references: ReferenceSources;
  /** Runs programs that speak. Absent if this machine starts no programs. */
  readonly run?: RunSpeech | undefined;
}

/** The address of each kind with a wire. */
const URLS: Readonly<Record<string, string>> = {
  openai: OPENAI_URL,
  whisper: WHISPER_URL,
  deepgram: deepgram.baseUrl,
};
const MODELS: Readonly<Record<string, string>> = { openai: OPENAI_TRANSCRIBE_MODEL, deepgram: deepgram.model };

export const createHouseVoice = ({ world, config, references, run }: HouseVoiceOptions): Voice => {
  const currentConfig = () => config.current().voice ?? {};
  const languageOf = lazy(async () => (await import("./text-language.ts")).loadLanguageDetector());

  const readKey = async ({ kind, baseUrl = URLS[kind], apiKey }: TranscribeConfig | SpeakConfig) => {
    if (apiKey === undefined) return undefined;
    const url = baseUrl === undefined ? undefined : new URL(baseUrl);
    const { reference, text, problem, remedy } = await readReference(apiKey, references, url);
    // Text that a header cannot contain is not a key; it may be a whole file of other secrets.
    if (text !== undefined && /^[\x21-\x7e]+$/.test(text)) return text;
    throw new HearthError(
      "provider.auth",
      `${reference} ${text === undefined ? problem : "does not contain a valid key"}.`,
      {
        hint: remedy,
      },
    );
  };

  const toWire = async (part: TranscribeConfig | SpeakConfig): Promise<WireOptions> => {
    const key = await readKey(part);
    return {
      fetch: world.fetch,
      clock: world.clock,
      ...(part.baseUrl === undefined ? {} : { baseUrl: part.baseUrl }),
      ...(key === undefined ? {} : { apiKey: key }),
      ...(part.model === undefined ? {} : { model: part.model }),
    };
  };

  const describeTranscriber = async (): Promise<VoicePart> => {
    const { transcribe } = currentConfig();
    if (transcribe === undefined)
      return { part: "transcribe", state: "off", detail: "voice notes are not transcribed: no transcriber is set" };
    const { kind, baseUrl = URLS[kind] } = transcribe;
    const model = transcribe.model ?? MODELS[kind];
    const price = pricePerMinute(transcribe, model);
    const name = [kind, model].filter((word) => word !== undefined).join(" ");
    const location = baseUrl === undefined ? "" : ` at ${URL.parse(baseUrl)?.host ?? baseUrl}`;
    return stateOf("transcribe", `${name}${location}, ${toPrice(price, "a minute")}`, () => readKey(transcribe));
  };

  const tryProgram = async (speak: SpeakConfig, signal: AbortSignal): Promise<void> => {
    const { voice, program, model } = speak;
    const speaker = (await speakers.program())({
      ...world,
      run,
      ...(program === undefined ? {} : { program }),
      ...(model === undefined ? {} : { model }),
    });
    await speaker.speak({ text: "Hello.", ...(voice === undefined ? {} : { voice }) }, signal);
  };

  const describeSpeaker = async (signal: AbortSignal): Promise<VoicePart> => {
    const { speak } = currentConfig();
    if (speak === undefined) {
      const offState = {
        part: "speak",
        state: "off",
        detail: "replies are not spoken: no provider of speech is set",
      } as const;
      const isFound = await tryProgram({ kind: "program" }, signal).then(
        () => true,
        () => false,
      );
      return isFound ? { ...offState, detail: `${offState.detail}. ${OFFER}` } : offState;
    }
    const { kind, baseUrl = URLS[kind], program = ESPEAK } = speak;
    if (kind === "program")
      return stateOf("speak", `${program} on this machine, free`, () => tryProgram(speak, signal));
    const model = speak.model ?? (kind === "openai" ? OPENAI_SPEAK_MODEL : undefined);
    const price = pricePerMillion(speak, model);
    const location = baseUrl === undefined ? "" : ` at ${URL.parse(baseUrl)?.host ?? baseUrl}`;
    const name = [kind, model].filter((word) => word !== undefined).join(" ");
    return stateOf("speak", `${name}${location}, ${toPrice(price, "a million characters")}`, () => readKey(speak));
  };

  return {
    async transcription(recording) {
      const { transcribe } = currentConfig();
      if (transcribe === undefined) return undefined;
      const { kind, language } = transcribe;
      const model = transcribe.model ?? MODELS[kind];
      const { dollars } = pricePerMinute(transcribe, model);
      const [create, wire] = await Promise.all([transcribers[kind](), toWire(transcribe)]);
      const costOf = (durationMs: number): number => toMicros((durationMs / 60_000) * dollars);
      return {
        name: [kind, model].filter((word) => word !== undefined).join("/"),
        maxCost: costOf(minutesAtMost(recording.bytes.length) * 60_000),
        costOf,
        run: (signal) =>
          create(wire).transcribe(
            recording.language === undefined && language !== undefined ? { ...recording, language } : recording,
            signal,
          ),
      };
    },

    async speech(text) {
      const { speak } = currentConfig();
      if (speak === undefined) return undefined;
      const { kind, voice, program } = speak;
      const model = speak.model ?? (kind === "openai" ? OPENAI_SPEAK_MODEL : undefined);
      const [create, wire] = await Promise.all([speakers[kind](), toWire(speak)]);
      const speaker = create({ ...wire, run, ...(program === undefined ? {} : { program }) });
      return {
        name: [kind, program, model, voice].filter((word) => word !== undefined).join("/"),
        maxCost: toMicros((text.length * pricePerMillion(speak, model).dollars) / 1_000_000),
        async run(signal) {
          const language = speaker.hasLanguages ? (await languageOf())(text) : undefined;
          return speaker.speak(
            { text, ...(voice === undefined ? {} : { voice }), ...(language === undefined ? {} : { language }) },
            signal,
          );
        },
      };
    },

    describe: async (signal) => [await describeTranscriber(), await describeSpeaker(signal)],
  };
};

const toMicros = (dollars: number): number => Math.ceil(dollars * 1_000_000);

const toPrice = ({ dollars, isKnown }: VoicePrice, unit: string): string => {
  if (dollars === 0) return "free";
  const price = `$${dollars} ${unit}`;
  return isKnown ? price : `price unknown: counted as ${price}`;
};

const OFFER = "espeak-ng is installed. To use it: hearth voice set speak --kind program --program espeak-ng";

const stateOf = async (part: VoicePart["part"], detail: string, check: () => Promise<unknown>): Promise<VoicePart> => ({
  part,
  ...(await readMediaState(detail, "hearth voice set", check)),
});
