/** The table of picture providers. Its keys are the kinds of `[pictures]`. Each is loaded on first use. */
import type { PictureKind } from "../../kernel/index.ts";
import type { PictureKindTraits, PictureProviderFactory } from "./picture-provider.ts";

export interface PictureKindRow {
  readonly load: () => Promise<PictureProviderFactory>;
  readonly traits: PictureKindTraits;
}

export const pictureProviders: Readonly<Record<PictureKind, PictureKindRow>> = {
  openai: {
    load: async () => (await import("./openai-pictures.ts")).createOpenAIPictures,
    traits: { masks: true },
  },
  gemini: {
    load: async () => (await import("./gemini-pictures.ts")).createGeminiPictures,
    traits: { masks: false },
  },
  fake: {
    load: async () => (await import("./memory-pictures.ts")).createMemoryPictures,
    traits: { masks: true },
  },
};
