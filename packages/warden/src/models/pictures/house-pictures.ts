/** Creates the configured picture provider. Its key is read at each call and not kept in memory. */
import { type ConfigSource, type PicturesConfig, readReference, type ReferenceSources } from "../../kernel/index.ts";
import { HearthError, type World } from "@hearth/protocol";
import { OPENAI_URL } from "../catalog/known.ts";
import { readMediaState } from "../media/media-state.ts";
import type { WireOptions } from "../wires/vendor-call.ts";
import { GEMINI_PICTURE_MODEL, GEMINI_URL } from "./gemini-pictures.ts";
import { OPENAI_PICTURE_MODEL } from "./openai-pictures.ts";
import { checkPicture } from "./picture-bytes.ts";
import type { Pictures } from "./pictures.ts";
import { pricePerPicture } from "./prices.ts";
import { pictureProviders } from "./table.ts";

export interface HousePicturesOptions {
  readonly world: Pick<World, "fetch" | "clock">;
  readonly config: Pick<ConfigSource, "current">;
  readonly references: ReferenceSources;
}

const URLS: Readonly<Record<string, string>> = { openai: OPENAI_URL, gemini: GEMINI_URL };
const MODELS: Readonly<Record<string, string>> = { openai: OPENAI_PICTURE_MODEL, gemini: GEMINI_PICTURE_MODEL };

export const createHousePictures = ({ world, config, references }: HousePicturesOptions): Pictures => {
  const readKey = async ({ kind, baseUrl = URLS[kind], apiKey }: PicturesConfig): Promise<string | undefined> => {
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

  const toWire = async (settings: PicturesConfig): Promise<WireOptions> => {
    const key = await readKey(settings);
    return {
      fetch: world.fetch,
      clock: world.clock,
      ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
      ...(key === undefined ? {} : { apiKey: key }),
      ...(settings.model === undefined ? {} : { model: settings.model }),
    };
  };

  return {
    async prepare(order) {
      const { pictures: settings } = config.current();
      if (settings === undefined) return undefined;
      const { load, traits } = pictureProviders[settings.kind];
      if (order.mask !== undefined && !traits.masks)
        throw new HearthError(
          "provider.refused",
          `The provider ${settings.kind} accepts no mask, so no picture was made.`,
          {
            hint: "Describe the part to change in the prompt instead.",
          },
        );
      const { dollars } = pricePerPicture(settings, modelOf(settings));
      const [create, wire] = await Promise.all([load(), toWire(settings)]);
      return {
        name: nameOf(settings, "/"),
        costOf: (count) => Math.ceil(count * dollars * 1_000_000),
        run: (signal) => create(wire).make(order, signal),
      };
    },

    check: (bytes) => checkPicture(bytes, world.clock),

    async describe() {
      const { pictures: settings } = config.current();
      if (settings === undefined) return { state: "off", detail: "agents make no pictures: no provider is set" };
      const { dollars, isKnown } = pricePerPicture(settings, modelOf(settings));
      const location =
        settings.baseUrl === undefined ? "" : ` at ${URL.parse(settings.baseUrl)?.host ?? settings.baseUrl}`;
      const price = dollars === 0 ? "free" : `$${dollars} a picture`;
      const detail = `${nameOf(settings, " ")}${location}, ${isKnown ? price : `price unknown: counted as ${price}`}`;
      return readMediaState(detail, "hearth pictures set", () => readKey(settings));
    },
  };
};

const modelOf = ({ kind, model = MODELS[kind] }: PicturesConfig): string | undefined => model;

const nameOf = (settings: PicturesConfig, separator: string): string =>
  [settings.kind, modelOf(settings)].filter((word) => word !== undefined).join(separator);
