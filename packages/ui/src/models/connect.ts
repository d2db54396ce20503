/** Makes sure that a provider is configured as requested. */
import type { Client } from "@hearth/client";
import type { CreateProvider, ProviderInfo } from "@hearth/protocol";

export type ProviderCalls = Pick<Client["providers"], "list" | "create" | "remove">;

/**
 * Contract:
 * - a configured provider of the same server is reused unless the request has a new key
 * - a new key replaces the old one under the same name; if it cannot be set up, the old one stays
 * - a name of another server is not reused: the new provider gets its own name
 */
export const ensureProvider = async (calls: ProviderCalls, request: CreateProvider): Promise<ProviderInfo> => {
  const providers = await calls.list();
  const existing =
    providers.find((provider) => provider.name === request.name && isSameServer(provider, request)) ??
    providers.find((provider) => request.baseUrl !== undefined && isSameServer(provider, request));
  if (existing !== undefined) {
    if (request.key === undefined && existing.ready) return existing;
    return replaceProvider(calls, { ...request, name: existing.name }, providers);
  }
  const configured = providers.filter(({ source }) => source !== "environment");
  return calls.create({ ...request, name: freeName(request.name, configured) });
};

/** Runs requests one after the other. Identical requests, such as a test and then saving, run once. */
export const createProviderSetup = (calls: ProviderCalls): ((provider: CreateProvider) => Promise<ProviderInfo>) => {
  let lastAttempt: { readonly requestKey: string; readonly result: Promise<ProviderInfo> } | undefined;
  return (provider) => {
    const requestKey = JSON.stringify(provider);
    if (lastAttempt?.requestKey === requestKey) return lastAttempt.result;
    const previousAttempt = lastAttempt?.result.catch(() => undefined) ?? Promise.resolve(undefined);
    const attempt = { requestKey, result: previousAttempt.then(() => ensureProvider(calls, provider)) };
    lastAttempt = attempt;
    attempt.result.catch(() => {
      if (lastAttempt === attempt) lastAttempt = undefined;
    });
    return attempt.result;
  };
};

const isSameServer = ({ source, kind, baseUrl }: ProviderInfo, provider: CreateProvider): boolean =>
  source === "config" && kind === provider.kind && baseUrl === provider.baseUrl;

/** Adds the new provider beside the old one first, so that one of them always works. */
const replaceProvider = async (
  calls: ProviderCalls,
  request: CreateProvider,
  providers: readonly ProviderInfo[],
): Promise<ProviderInfo> => {
  const temporaryProvider = await calls.create({ ...request, name: freeName(request.name, providers) });
  try {
    await calls.remove(request.name);
  } catch (error) {
    await calls.remove(temporaryProvider.name);
    throw error;
  }
  let provider: ProviderInfo;
  try {
    provider = await calls.create(request);
  } catch {
    // The provider could not be created under the former name, so it keeps its other name.
    return temporaryProvider;
  }
  // Ignores a failed cleanup, because a second entry with the same key is harmless.
  await calls.remove(temporaryProvider.name).catch(() => undefined);
  return provider;
};

const freeName = (name: string, providers: readonly ProviderInfo[]): string => {
  let candidate = name;
  for (let number = 2; providers.some((provider) => provider.name === candidate); number++)
    candidate = `${name}-${number}`;
  return candidate;
};
