/** Opens the models: the catalog of the configured providers. */
import { lazy, lazyMethods, type World } from "@hearth/protocol";
import type { ConfigSource, Kernel, ReferenceSources } from "../kernel/index.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { createCatalog } from "./catalog/house-catalog.ts";
import { localServers } from "./catalog/known.ts";
import type { Descriptions } from "./descriptions/descriptions.ts";
import type { Media } from "./media/media.ts";
import type { ProviderFactory } from "./provider.ts";
import type { Pictures } from "./pictures/pictures.ts";
import { providers as builtIn } from "./table.ts";
import type { RunSpeech } from "./voice/speaker.ts";
import type { Voice } from "./voice/voice.ts";

export interface ModelsOptions {
  readonly kernel: Pick<Kernel, "world" | "config" | "keyFiles">;
  readonly references: ReferenceSources;
  /** Provider kinds in addition to the built-in ones. */
  readonly providers?: Readonly<Record<string, ProviderFactory>>;
  /** Runs programs that speak. Absent if the house uses no such program. */
  readonly runSpeech?: RunSpeech | undefined;
}

export interface Models {
  readonly providers: Catalog;
  readonly voice: Voice;
  readonly pictures: Pictures;
  /** Describes pictures for models that do not see. */
  readonly descriptions: Descriptions;
  /** Settings and tests of the providers of speech and pictures. */
  readonly media: Media;
}

export const openModels = (options: ModelsOptions): Models => {
  const providers = createCatalog({
    ...options.kernel,
    ...options.references,
    table: { ...builtIn, ...options.providers },
    localServers,
  });
  const voice = createLazyVoice(options);
  const pictures = createLazyPictures(options);
  const descriptions = createLazyDescriptions(options.kernel, options.kernel.config, providers);
  const media = createLazyMedia(options, { voice, pictures, descriptions }, providers);
  return { voice, pictures, descriptions, media, providers };
};

/** Dependencies of speech and pictures. */
interface PartOptions {
  readonly kernel: { readonly world: World; readonly config: Pick<ConfigSource, "current"> };
  readonly references: ReferenceSources;
  readonly runSpeech?: RunSpeech | undefined;
}

/** Loads speech on first use, because most turns have no audio. */
const createLazyVoice = ({ kernel, references, runSpeech: run }: PartOptions): Voice => {
  const load = lazy(async () =>
    (await import("./voice/house-voice.ts")).createHouseVoice({
      world: kernel.world,
      config: kernel.config,
      references,
      run,
    }),
  );
  return lazyMethods(load, ["transcription", "speech", "describe"]);
};

const createLazyPictures = ({ kernel, references }: PartOptions): Pictures => {
  const load = lazy(async () =>
    (await import("./pictures/house-pictures.ts")).createHousePictures({
      world: kernel.world,
      config: kernel.config,
      references,
    }),
  );
  return lazyMethods(load, ["prepare", "check", "describe"]);
};

/**
 * Loads the descriptions on first use. `settings` has the table of descriptions, and the kernel's
 * config the abilities of models.
 */
const createLazyDescriptions = (
  { world, config }: PartOptions["kernel"],
  settings: Pick<ConfigSource, "current">,
  providers: Catalog,
): Descriptions => {
  const load = lazy(async () =>
    (await import("./descriptions/house-descriptions.ts")).createHouseDescriptions({
      clock: world.clock,
      config: settings,
      house: config,
      providers,
    }),
  );
  return lazyMethods(load, ["prepare", "describe"]);
};

const createLazyMedia = (
  options: ModelsOptions,
  parts: { readonly voice: Voice; readonly pictures: Pictures; readonly descriptions: Descriptions },
  providers: Catalog,
): Media => {
  const { world, config, keyFiles } = options.kernel;
  const { voice, pictures, descriptions } = parts;
  const load = lazy(async () => {
    const [{ createHouseMedia }, { DRAFT_KEY_PATH }] = await Promise.all([
      import("./media/house-media.ts"),
      import("../kernel/lazy.ts"),
    ]);
    return createHouseMedia({
      clock: world.clock,
      config,
      keyFiles,
      voice,
      pictures,
      descriptions,
      openDraft(draft, typedKey) {
        const { readFile } = options.references;
        const references: ReferenceSources = {
          ...options.references,
          readFile: async (path) => (path === DRAFT_KEY_PATH ? typedKey : readFile(path)),
        };
        const draftOptions = { ...options, kernel: { ...options.kernel, config: draft }, references };
        return {
          voice: createLazyVoice(draftOptions),
          pictures: createLazyPictures(draftOptions),
          descriptions: createLazyDescriptions(options.kernel, draft, providers),
        };
      },
    });
  });
  return lazyMethods(load, ["list", "set", "remove", "test", "testNew"]);
};
