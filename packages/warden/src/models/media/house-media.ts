/** Sets, describes and tests the providers of speech, pictures and descriptions. */
import type { ConfigSource, KeyFiles, SecretReference } from "../../kernel/index.ts";
import { createMediaTables, type MediaTable, toDraftConfig } from "../../kernel/lazy.ts";
import {
  type Clock,
  HearthError,
  type MediaField,
  type MediaInfo,
  type MediaPart,
  type MediaSettings,
  type SetMedia,
} from "@hearth/protocol";
import { checkBaseUrl } from "../catalog/entry.ts";
import type { Descriptions } from "../descriptions/descriptions.ts";
import type { Pictures } from "../pictures/pictures.ts";
import type { MediaState } from "./media-state.ts";
import type { Voice } from "../voice/voice.ts";
import type { Media } from "./media.ts";
import { fieldsOf, mediaKinds } from "./media-kinds.ts";
import { tryMedia } from "./try-media.ts";

export interface HouseMediaOptions {
  readonly clock: Clock;
  readonly config: Pick<ConfigSource, "current" | "fileValue" | "edit">;
  readonly keyFiles: KeyFiles;
  readonly voice: Voice;
  readonly pictures: Pictures;
  readonly descriptions: Descriptions;
  /** Opens speech and pictures with another config. `typedKey` is the content of `DRAFT_KEY_PATH`. */
  readonly openDraft: (
    config: Pick<ConfigSource, "current">,
    typedKey: string | undefined,
  ) => { readonly voice: Voice; readonly pictures: Pictures; readonly descriptions: Descriptions };
}

export const createHouseMedia = (options: HouseMediaOptions): Media => {
  const { config, voice, pictures, descriptions } = options;
  const tables = createMediaTables(options);

  const settingsOf = (part: MediaPart): MediaSettings | undefined => {
    const { voice: voiceConfig, pictures: picturesConfig, descriptions: descriptionsConfig } = config.current();
    switch (part) {
      case "transcribe":
        return voiceConfig?.transcribe && toSettings(voiceConfig.transcribe, voiceConfig.transcribe.pricePerMinute);
      case "speak":
        return voiceConfig?.speak && toSettings(voiceConfig.speak, voiceConfig.speak.pricePerMillion);
      case "pictures":
        return picturesConfig && toSettings(picturesConfig, picturesConfig.pricePerPicture);
      case "describe":
        return descriptionsConfig && toSettings(descriptionsConfig, undefined);
    }
  };

  const toInfo = (part: MediaPart, { state, detail, fix }: MediaState): MediaInfo => {
    const settings = settingsOf(part);
    return {
      part,
      state,
      detail,
      kinds: [...mediaKinds[part]],
      ...(fix === undefined ? {} : { fix }),
      ...(settings === undefined ? {} : { settings }),
    };
  };

  const describe = async (signal: AbortSignal): Promise<Readonly<Record<MediaPart, MediaInfo>>> => {
    const [transcribe, speak] = await voice.describe(signal);
    return {
      transcribe: toInfo("transcribe", transcribe),
      speak: toInfo("speak", speak),
      pictures: toInfo("pictures", await pictures.describe()),
      describe: toInfo("describe", await descriptions.describe()),
    };
  };

  return {
    list: async (signal) => Object.values(await describe(signal)),

    async set(part, settings, by, signal) {
      await tables.put(part, toTable(part, settings), by);
      return (await describe(signal))[part];
    },

    remove: (part, by) => tables.remove(part, by),

    test: (part, charge, signal) => tryMedia(part, options, charge, signal),

    async testNew(part, settings, charge, signal) {
      const draft = toDraftConfig(part, toTable(part, settings));
      const draftParts = options.openDraft({ current: () => draft }, settings.key);
      return tryMedia(part, { clock: options.clock, ...draftParts }, charge, signal);
    },
  };
};

/** Throws `config.invalid` for settings that the part does not have. */
const toTable = (part: MediaPart, settings: SetMedia): MediaTable => {
  checkFields(part, settings);
  checkBaseUrl(settings.baseUrl);
  const { apiKey: reference, key, baseUrl: url } = settings;
  return { values: toValues(part, settings), key, reference, url };
};

const CONFIG_KEYS: Readonly<Record<Exclude<MediaField, "apiKey">, string>> = {
  baseUrl: "base_url",
  model: "model",
  language: "language",
  voice: "voice",
  program: "program",
};
/** The price of a description is that of its model. */
const PRICE_KEYS: Readonly<Record<Exclude<MediaPart, "describe">, string>> = {
  transcribe: "price_per_minute",
  speak: "price_per_million",
  pictures: "price_per_picture",
};

const checkFields = (part: MediaPart, settings: SetMedia): void => {
  const kinds = mediaKinds[part].map(({ kind }) => kind);
  if (!kinds.includes(settings.kind) && settings.kind !== "fake")
    throw new HearthError("config.invalid", `Unknown kind "${settings.kind}" of provider for ${part}.`, {
      hint: `The kind is one of: ${kinds.join(", ")}.`,
    });
  const wrongKey = Object.keys(CONFIG_KEYS).find(
    (name) => settings[name as MediaField] !== undefined && !fieldsOf[part].includes(name as MediaField),
  );
  if (part === "describe" && (settings.price ?? settings.apiKey ?? settings.key) !== undefined)
    throw new HearthError("config.invalid", "Descriptions have neither a key nor a price of their own.", {
      hint: "Remove it. The key and the price are those of the provider of the model.",
    });
  if (wrongKey === undefined) return;
  throw new HearthError("config.invalid", `A provider for ${part} has no ${wrongKey}.`, {
    hint: `Remove it. The settings are: kind, ${fieldsOf[part].join(", ")}, price.`,
  });
};

const toValues = (part: MediaPart, settings: SetMedia): Readonly<Record<string, string | number>> => {
  const texts = Object.entries(CONFIG_KEYS).flatMap(([name, key]) => {
    const value = settings[name as MediaField];
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    kind: settings.kind,
    ...Object.fromEntries(texts),
    ...(settings.price === undefined || part === "describe" ? {} : { [PRICE_KEYS[part]]: settings.price }),
  };
};

interface ProviderFields {
  readonly kind: string;
  readonly baseUrl?: string;
  readonly apiKey?: SecretReference;
  readonly model?: string;
  readonly language?: string;
  readonly voice?: string;
  readonly program?: string;
}

const toSettings = (
  { kind, baseUrl, apiKey, model, language, voice, program }: ProviderFields,
  price: number | undefined,
): MediaSettings => ({
  kind,
  ...(baseUrl === undefined ? {} : { baseUrl }),
  ...(apiKey === undefined ? {} : { apiKey: showReference(apiKey) }),
  ...(model === undefined ? {} : { model }),
  ...(language === undefined ? {} : { language }),
  ...(voice === undefined ? {} : { voice }),
  ...(program === undefined ? {} : { program }),
  ...(price === undefined ? {} : { price }),
});

const showReference = (reference: SecretReference): string =>
  `${reference.kind}:${reference.kind === "file" ? reference.path : reference.name}`;
