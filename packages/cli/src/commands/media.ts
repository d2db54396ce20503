/**
 * `hearth voice`, `hearth pictures` and `hearth descriptions`: sets and tests the providers of speech
 * and pictures and the model that describes pictures, and chooses which replies are spoken.
 */
import { resolve } from "node:path";
import { type MediaInfo, type MediaPart, type SetMedia, showSize } from "@hearth/protocol";
import { SpokenReplies } from "@hearth/protocol/api";
import { toKey } from "../args/key.ts";
import { saveDownload } from "../args/save-download.ts";
import { UsageError } from "../args/usage-error.ts";
import {
  type Argument,
  type Command,
  type Context,
  type Flags,
  type FlagValues,
  type Group,
  defineCommand,
} from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatDuration } from "../show/time.ts";

const NEEDS = "x on the first house";
const VOICE_PARTS = ["transcribe", "speak"] as const satisfies readonly MediaPart[];

const providerFlags = {
  kind: { kind: "text", value: "KIND", summary: "the provider's API (required); `list` shows the kinds" },
  "base-url": { kind: "text", value: "URL", summary: "the address of your own or another server" },
  "api-key": {
    kind: "text",
    value: "REFERENCE",
    summary: "where the key is stored: secret:NAME, env:NAME or file:PATH; never the key itself",
  },
  "key-stdin": { kind: "switch", summary: "read the key from stdin; Hearth stores it" },
  model: { kind: "text", value: "MODEL", summary: "the provider's name for the model (default: that of the kind)" },
  price: { kind: "text", value: "DOLLARS", summary: "the price of a minute, a million characters or a picture" },
} as const satisfies Flags;
const speechFlags = {
  ...providerFlags,
  language: { kind: "text", value: "CODE", summary: "transcribe: the language of recordings, such as en" },
  voice: { kind: "text", value: "VOICE", summary: "speak: the provider's name for the voice" },
  program: { kind: "text", value: "PROGRAM", summary: "speak: the program of the kind program (default: espeak-ng)" },
} as const satisfies Flags;
const saveFlags = {
  to: { kind: "text", value: "PATH", summary: "save the sound or picture that comes back" },
} as const satisfies Flags;

const PART: Argument = { name: "transcribe|speak" };

const toPart = (word: string | undefined): MediaPart => {
  const part = VOICE_PARTS.find((candidate) => candidate === word);
  if (part !== undefined) return part;
  throw new UsageError(`"${word ?? ""}" is not a part of voice.`, "The parts are: transcribe, speak.");
};

const createListCommand = (parts: readonly MediaPart[], summary: string, example: string): Command =>
  defineCommand({
    summary,
    needs: NEEDS,
    flags: {},
    examples: [example, `${example} --json`],
    async run({ connect, json, output }) {
      const infos = (await (await connect()).providers.media()).filter(({ part }) => parts.includes(part));
      if (json) output.json(infos);
      else
        output.table(
          ["PART", "STATE", "KINDS", "DETAIL"],
          infos.map(({ part, state, kinds, detail }) => [
            part,
            state,
            kinds.map(({ kind }) => kind).join(", "),
            detail,
          ]),
          "The house describes no providers.",
        );
      return exitCodes.done;
    },
  });

/** Asks for the key only after the other flags are accepted. */
const toSettings = async (
  flags: FlagValues<typeof providerFlags> & Partial<FlagValues<typeof speechFlags>>,
  { output, terminal }: Pick<Context, "output" | "terminal">,
): Promise<SetMedia> => {
  const { kind, model, language, voice, program } = flags;
  const { "base-url": baseUrl, "api-key": apiKey, "key-stdin": readsKey, price } = flags;
  if (kind === undefined) throw new UsageError("--kind is missing.", "`list` shows the kinds.");
  if (apiKey !== undefined && !/^(env|file|secret):./.test(apiKey))
    throw new UsageError(
      "--api-key takes a reference, not the key itself.",
      "Store the key in the vault: hearth secret set NAME, then --api-key secret:NAME. Or give it on stdin: --key-stdin",
    );
  if (apiKey !== undefined && readsKey)
    throw new UsageError("--api-key and --key-stdin cannot be combined. Give one of them.");
  if (price !== undefined && !/^\d+(\.\d+)?$/.test(price))
    throw new UsageError(`--price takes a number of dollars, not "${price}".`);
  if (readsKey && terminal.stdinIsTerminal) output.note("Paste the key, then press Enter and Ctrl-D.");
  return {
    kind,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(readsKey ? { key: toKey(await terminal.readInput()) } : {}),
    ...(model === undefined ? {} : { model }),
    ...(language === undefined ? {} : { language }),
    ...(voice === undefined ? {} : { voice }),
    ...(program === undefined ? {} : { program }),
    ...(price === undefined ? {} : { price: Number(price) }),
  };
};

const TESTS: Readonly<Record<MediaPart, string>> = {
  transcribe: "voice test transcribe",
  speak: "voice test speak",
  pictures: "pictures test",
  describe: "descriptions test",
};

const setMedia = async ({ connect, json, output }: Context, part: MediaPart, settings: SetMedia) => {
  const info: MediaInfo = await (await connect()).providers.setMedia(part, settings);
  if (json) output.json(info);
  else {
    output.line(`${part}: ${info.state}, ${safeLine(info.detail)}`);
    if (info.fix !== undefined) output.note(safeLine(info.fix));
    else output.note(`To test it: hearth ${TESTS[part]}`);
  }
  return exitCodes.done;
};

const removeMedia = async ({ connect, json, output }: Context, part: MediaPart) => {
  await (await connect()).providers.removeMedia(part);
  if (json) output.json({ removed: part });
  else output.line(`${part} is off`);
  return exitCodes.done;
};

/** Tests these settings and stores nothing. */
const testProvider = async (
  context: Context,
  part: MediaPart,
  { to, ...flags }: Parameters<typeof toSettings>[0] & FlagValues<typeof saveFlags>,
) => {
  const isDraft = Object.values(flags).some((value) => value !== undefined && value !== false);
  return testMedia(context, part, isDraft ? await toSettings(flags, context) : undefined, to);
};

/** `settings` are not stored. Without them, tests what is set. */
const testMedia = async (
  { connect, json, output, terminal }: Context,
  part: MediaPart,
  settings: SetMedia | undefined,
  to?: string,
) => {
  const { providers } = await connect();
  const answer = await (settings === undefined ? providers.testMedia(part) : providers.testNewMedia(part, settings));
  const { ok, detail, durationMs, result } = answer;
  if (json) output.json(answer);
  else output.line(`${ok ? "ok" : output.style.red("FAIL")}  ${safeLine(detail)} (${formatDuration(durationMs)})`);
  if (to !== undefined && result !== undefined) {
    const path = resolve(terminal.cwd, to);
    const sizeBytes = await saveDownload(new Response(Uint8Array.fromBase64(result.data)), path);
    output.note(`Saved ${safeLine(path)}, ${result.type}, ${showSize(sizeBytes)}.`);
  }
  return ok ? exitCodes.done : exitCodes.failed;
};

/** Which replies to the caller are spoken. */
const replies = defineCommand({
  summary: "Shows or chooses which replies to you are spoken",
  needs: "a credential",
  args: [{ name: SpokenReplies.options.join("|"), optional: true }],
  flags: {},
  details:
    "voice-notes: replies to your messages that have a recording. Applies to replies of agents to your messages in direct rooms, and in chats of linked platforms, where the audio follows the text. The provider may charge for the audio.",
  examples: ["hearth voice replies", "hearth voice replies voice-notes", "hearth voice replies never"],
  async run({ connect, json, output }, _flags, [word]) {
    const chosenOption = SpokenReplies.options.find((option) => option === word);
    if (word !== undefined && chosenOption === undefined)
      throw new UsageError(`"${word}" is not a choice.`, `The choices are: ${SpokenReplies.options.join(", ")}.`);
    const client = await connect();
    const voiceCalls = await client.voice();
    const choices = await (chosenOption === undefined
      ? voiceCalls.choices()
      : voiceCalls.choose({ replies: chosenOption }));
    if (json) output.json(choices);
    else {
      output.line(choices.replies);
      const { speaks } = await client.me();
      if (choices.replies !== "never" && speaks !== true)
        output.note("This house has no provider of speech yet. An administrator can set one: hearth voice set speak");
    }
    return exitCodes.done;
  },
});

const SET_NOTE =
  "Replaces all settings of this provider in hearth.toml, and applies at once. A key from stdin is stored only in the home's keys/ folder. A vault secret also needs a grant for the host: hearth secret grant NAME --providers --host HOST";
const TEST_NOTE =
  "Without --kind, tests the provider that is set. With --kind, tests these settings and stores nothing. The house pays the provider's price. Exits with 1 when the call fails.";

export const voice: Group = {
  kind: "group",
  summary: "Sets and tests the providers of transcription and speech, and chooses spoken replies",
  verbs: {
    list: createListCommand(VOICE_PARTS, "Shows the providers of speech", "hearth voice list"),
    set: defineCommand({
      summary: "Sets the provider of transcription or speech",
      needs: NEEDS,
      args: [PART],
      flags: speechFlags,
      details: SET_NOTE,
      examples: [
        "hearth voice set transcribe --kind whisper --base-url http://127.0.0.1:8080",
        "hearth voice set transcribe --kind deepgram --key-stdin < key.txt",
        "hearth voice set speak --kind program --program espeak-ng --voice en",
      ],
      run: async (context, flags, [part]) => setMedia(context, toPart(part), await toSettings(flags, context)),
    }),
    remove: defineCommand({
      summary: "Turns transcription or speech off, and removes the stored key",
      needs: NEEDS,
      args: [PART],
      flags: {},
      examples: ["hearth voice remove speak"],
      run: (context, _flags, [part]) => removeMedia(context, toPart(part)),
    }),
    test: defineCommand({
      summary: "Transcribes a short tone, or speaks one sentence",
      needs: NEEDS,
      args: [PART],
      flags: { ...speechFlags, ...saveFlags },
      details: TEST_NOTE,
      examples: [
        "hearth voice test transcribe",
        "hearth voice test speak --to sentence.wav",
        "hearth voice test transcribe --kind deepgram --key-stdin < key.txt",
      ],
      run: (context, flags, [part]) => testProvider(context, toPart(part), flags),
    }),
    replies,
  },
};

export const pictures: Group = {
  kind: "group",
  summary: "Sets and tests the provider that makes pictures for agents",
  verbs: {
    list: createListCommand(["pictures"], "Shows the provider of pictures", "hearth pictures list"),
    set: defineCommand({
      summary: "Sets the provider of pictures",
      needs: NEEDS,
      flags: providerFlags,
      details: SET_NOTE,
      examples: [
        "hearth pictures set --kind openai --api-key env:OPENAI_API_KEY",
        "hearth pictures set --kind openai --base-url http://127.0.0.1:8080/v1 --model sdxl",
      ],
      run: async (context, flags) => setMedia(context, "pictures", await toSettings(flags, context)),
    }),
    remove: defineCommand({
      summary: "Turns pictures off, and removes the stored key",
      needs: NEEDS,
      flags: {},
      examples: ["hearth pictures remove"],
      run: (context) => removeMedia(context, "pictures"),
    }),
    test: defineCommand({
      summary: "Makes one small picture",
      needs: NEEDS,
      flags: { ...providerFlags, ...saveFlags },
      details: TEST_NOTE,
      examples: ["hearth pictures test", "hearth pictures test --kind gemini --key-stdin --to picture.png < key.txt"],
      run: (context, flags) => testProvider(context, "pictures", flags),
    }),
  },
};

const describerFlags = {
  kind: { kind: "text", value: "KIND", summary: "`model` (default)" },
  model: { kind: "text", value: "PROVIDER/MODEL", summary: "a model of the house that accepts pictures (required)" },
} as const satisfies Flags;

const toDescriber = ({ kind = "model", model }: FlagValues<typeof describerFlags>): SetMedia => {
  if (kind === "model" && model === undefined)
    throw new UsageError("--model is missing.", "Name a model that accepts pictures: --model openai/gpt-5-mini");
  return { kind, ...(model === undefined ? {} : { model }) };
};

export const descriptions: Group = {
  kind: "group",
  summary: "Sets and tests the model that describes pictures for models that accept only text",
  verbs: {
    list: createListCommand(["describe"], "Shows the model that describes pictures", "hearth descriptions list"),
    set: defineCommand({
      summary: "Sets the model that describes pictures",
      needs: NEEDS,
      flags: describerFlags,
      details:
        "The model belongs to one of the house's providers and uses its key. Each picture is described once. The cost counts against the budgets. Applies at once.",
      examples: ["hearth descriptions set --model openai/gpt-5-mini"],
      run: (context, flags) => setMedia(context, "describe", toDescriber(flags)),
    }),
    remove: defineCommand({
      summary: "Turns descriptions of pictures off",
      needs: NEEDS,
      flags: {},
      examples: ["hearth descriptions remove"],
      run: (context) => removeMedia(context, "describe"),
    }),
    test: defineCommand({
      summary: "Describes a red square",
      needs: NEEDS,
      flags: describerFlags,
      details:
        "Without --model, tests the model that is set. With --model, tests that model and stores nothing. The provider may charge for the call. Exits with 1 if it fails.",
      examples: ["hearth descriptions test", "hearth descriptions test --model openai/gpt-5-mini"],
      run: (context, flags) => {
        const isDraft = flags.kind !== undefined || flags.model !== undefined;
        return testMedia(context, "describe", isDraft ? toDescriber(flags) : undefined);
      },
    }),
  },
};
