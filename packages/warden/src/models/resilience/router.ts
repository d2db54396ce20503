/**
 * A provider that chooses another provider by the prefix of the model's name. The longest matching
 * prefix decides, and the empty prefix matches every name.
 */
import { type ErrorBody, fileKinds, isHearthError, toErrorBody } from "@hearth/protocol";
import type { FailedAttempt } from "./attempt.ts";
import type { Provider } from "../provider.ts";
import {
  modelNameOf,
  ONLY_MODEL,
  type OpenProvider,
  forwardsModelName,
  type ModelTarget,
  toModelTarget,
} from "../catalog/target.ts";

export interface RouterOptions {
  /** Prefix → target. A target without a model receives the rest of the name after the prefix. */
  readonly routes: ReadonlyMap<string, string>;
  readonly open: OpenProvider;
}

export const createRouterProvider = ({ routes, open: openProvider }: RouterOptions): Provider => {
  return {
    kind: "router",
    traits: { offline: false, carries: fileKinds },

    async *stream(request, signal, context) {
      const modelTarget = findRoute(routes, request.model);
      if (modelTarget === undefined) {
        yield { type: "error", error: noRouteError(request.model, routes) };
        return;
      }
      const provider = await openOrFail(openProvider, modelTarget.provider);
      if ("type" in provider) {
        yield provider;
        return;
      }
      for await (const event of provider.stream({ ...request, model: modelTarget.model }, signal, context))
        yield event.type === "end" ? { ...event, model: event.model ?? modelNameOf(modelTarget) } : event;
    },

    async models(signal) {
      const lists = await Promise.all(
        [...routes].map(async ([prefix, target]) => {
          if (!forwardsModelName(target)) return [prefix.replace(/\/$/, "") || ONLY_MODEL];
          const names = await (await openProvider(toModelTarget(target, "").provider)).models(signal);
          return names.map((name) => prefix + name);
        }),
      );
      return lists.flat();
    },
  };
};

/** Returns the target of a model's name. */
export const findRoute = (routes: ReadonlyMap<string, string>, model: string): ModelTarget | undefined => {
  const longestFirst = [...routes].sort(([a], [b]) => b.length - a.length);
  for (const [prefix, target] of longestFirst) {
    if (model.startsWith(prefix) || `${model}/` === prefix)
      return toModelTarget(target, model.slice(prefix.length) || model);
  }
  return undefined;
};

const openOrFail = async (openProvider: OpenProvider, name: string): Promise<Provider | FailedAttempt> => {
  try {
    return await openProvider(name);
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return { type: "error", error: toErrorBody(error) };
  }
};

const noRouteError = (model: string, routes: ReadonlyMap<string, string>): ErrorBody => ({
  code: "provider.unknown",
  message: `No route of this provider matches "${model}". Available: ${[...routes.keys()].join(", ")}.`,
  hint: "Choose one of them, or add a route to hearth.toml.",
});
