/** Creates the configured describer. A change of the config applies to the next picture. */
import type { ConfigSource, DescriptionsConfig } from "../../kernel/index.ts";
import { type Clock, HearthError } from "@hearth/protocol";
import type { PictureLimits } from "@hearth/protocol/picture-sizes";
import type { Catalog } from "../catalog/catalog.ts";
import { modelInfo } from "../catalog/model-info.ts";
import { readMediaState } from "../media/media-state.ts";
import type { ChargeGate } from "../resilience/charge.ts";
import { createDeadline } from "../resilience/deadline.ts";
import {
  DESCRIPTION_LIMIT_MS,
  DESCRIPTION_TOKENS,
  type DescriberModel,
  REQUEST_TOKENS,
  type ShownPicture,
} from "./describer.ts";
import type { Descriptions } from "./descriptions.ts";
import { describers } from "./table.ts";

export interface HouseDescriptionsOptions {
  readonly clock: Clock;
  /** The settings of descriptions. A draft has no providers. */
  readonly config: Pick<ConfigSource, "current">;
  readonly house: Pick<ConfigSource, "current">;
  readonly providers: Pick<Catalog, "resolve" | "candidates">;
}

/** The longest edge of a described picture. More pixels cost more and rarely show more. */
const MAX_EDGE = 1568;
const FAKE_LIMITS: PictureLimits = { edge: MAX_EDGE, sizeBytes: 5_000_000 };

export const createHouseDescriptions = (options: HouseDescriptionsOptions): Descriptions => {
  const { clock, config, house, providers } = options;

  const resolve = async ({ kind, model: name = "" }: DescriptionsConfig): Promise<DescriberModel | undefined> => {
    if (kind === "fake") return undefined;
    const { provider, model } = await providers.resolve(name);
    const infos = providers.candidates([name]).map((candidate) => modelInfo(candidate, house.current().models));
    const isBlind = infos.length === 0 || infos.some(({ sees }) => !sees);
    if (isBlind)
      throw new HearthError("provider.refused", `The model ${name} does not accept pictures.`, {
        hint: `Choose another model. Or, if it accepts pictures, set sees = true under [models."${name}"] in hearth.toml.`,
      });
    return {
      provider,
      model,
      limits: {
        edge: Math.min(MAX_EDGE, ...infos.map(({ pictureEdge }) => pictureEdge)),
        sizeBytes: Math.min(...infos.map(({ pictureBytes }) => pictureBytes)),
      },
    };
  };

  return {
    async prepare() {
      const { descriptions: settings } = config.current();
      if (settings === undefined) return undefined;
      const [create, describerModel] = await Promise.all([describers[settings.kind](), resolve(settings)]);
      const describer = create({
        resolve: async () => {
          if (describerModel === undefined) throw new Error(`the kind ${settings.kind} has no model`);
          return describerModel;
        },
      });
      return {
        name: settings.model ?? settings.kind,
        limits: describerModel?.limits ?? FAKE_LIMITS,
        inputTokens: REQUEST_TOKENS,
        maxOutputTokens: DESCRIPTION_TOKENS,
        async run(picture: ShownPicture, gate: ChargeGate, signal: AbortSignal) {
          using deadline = createDeadline({ clock, ms: DESCRIPTION_LIMIT_MS, signal });
          try {
            return await describer.describe(picture, gate, deadline.signal);
          } catch (error) {
            if (deadline.hasExpired()) throw timeoutError(settings.model ?? settings.kind, error);
            throw error;
          }
        },
      };
    },

    async describe() {
      const { descriptions: settings } = config.current();
      if (settings === undefined)
        return { state: "off", detail: "pictures are not described for models that do not see: no model is set" };
      return readMediaState(settings.model ?? settings.kind, "hearth descriptions set", () => resolve(settings));
    },
  };
};

const timeoutError = (name: string, cause: unknown): HearthError =>
  new HearthError(
    "provider.timeout",
    `${name} did not describe the picture within ${DESCRIPTION_LIMIT_MS / 1000} seconds.`,
    { hint: "Try again. Or choose a faster model in Settings → Models.", cause },
  );
