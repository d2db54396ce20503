/** Makes sure that a provider is configured as requested. */
import type { Client } from "@hearth/client";
import type { CreateProvider, ProviderInfo } from "@hearth/protocol";

export type ProviderCalls = Pick<Client["providers"], "list" | "create" | "remove">;

/**
 * Contract:
 * - the same server without a new key is used as it is
 * - a new key replaces the old one under the same name; if it cannot be set up, the old one stays
 * - a name of another server is not reused: the new provider gets its own name
 */
export const ensureProvider = async (calls: ProviderCalls, wanted: CreateProvider): Promise<ProviderInfo> => {
  const providers = await calls.list();
  const old =
    providers.find((provider) => provider.name === wanted.name && isSame(provider, wanted)) ??
    providers.find((provider) => wanted.baseUrl !== undefined && isSame(provider, wanted));
  if (old !== undefined) {
    return wanted.key === undefined && old.ready ? old : replace(calls, { ...wanted, name: old.name }, providers);
  }
  const configured = providers.filter(({ source }) => source !== "environment");
  return calls.create({ ...wanted, name: freeName(wanted.name, configured) });
};

/** Runs requests one after the other. Identical requests, such as a test and then saving, run once. */
export const createProviderSetup = (calls: ProviderCalls): ((provider: CreateProvider) => Promise<ProviderInfo>) => {
  let last: { readonly requestKey: string; readonly result: Promise<ProviderInfo> } | undefined;
  return (provider) => {
    const requestKey = JSON.stringify(provider);
    if (last?.requestKey === requestKey) return last.result;
    const before = last?.result.catch(() => undefined) ?? Promise.resolve(undefined);
    const attempt = { requestKey, result: before.then(() => ensureProvider(calls, provider)) };
    last = attempt;
    attempt.result.catch(() => {
      if (last === attempt) last = undefined;
    });
    return attempt.result;
  };
};

const isSame = ({ source, kind, baseUrl }: ProviderInfo, provider: CreateProvider): boolean =>
  source === "config" && kind === provider.kind && baseUrl === provider.baseUrl;

/** Adds the new provider beside the old one first, so that one of them always works. */
const replace = async (
  calls: ProviderCalls,
  wanted: CreateProvider,
  providers: readonly ProviderInfo[],
): Promise<ProviderInfo> => {
  const beside = await calls.create({ ...wanted, name: freeName(wanted.name, providers) });
  try {
    await calls.remove(wanted.name);
  } catch (error) {
    await calls.remove(beside.name);
    throw error;
  }
  let provider: ProviderInfo;
  try {
    provider = await calls.create(wanted);
  } catch {
    // The provider could not be created under the former name, so it keeps its other name.
    return beside;
  }
  // Ignores a failed cleanup, because a second entry with the same key is harmless.
  await calls.remove(beside.name).catch(() => undefined);
  return provider;
};

const freeName = (name: string, taken: readonly ProviderInfo[]): string => {
  let free = name;
  for (let number = 2; taken.some((provider) => provider.name === free); number++) free = `${name}-${number}`;
  return free;
};
