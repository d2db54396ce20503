/** Targets of composite providers: `provider/model`, or `provider/` for the requested model name. */
import type { Provider } from "../provider.ts";

/** Returns the provider of this name, created on first use. Throws `provider.unknown` or `provider.auth`. */
export type OpenProvider = (name: string) => Promise<Provider>;

export interface ModelTarget {
  readonly provider: string;
  readonly model: string;
}

/** The name of the only model of a provider whose targets all name their models. */
export const ONLY_MODEL = "default";

export const toModelTarget = (target: string, requestedModel: string): ModelTarget => {
  const slash = target.indexOf("/");
  return { provider: target.slice(0, slash), model: target.slice(slash + 1) || requestedModel };
};

export const forwardsModelName = (target: string): boolean => target.indexOf("/") === target.length - 1;

export const modelNameOf = ({ provider, model }: ModelTarget): string => `${provider}/${model}`;
