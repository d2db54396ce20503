/** Makes sure that a provider stands in the config as wanted, whatever stood there before. */
import type { Client } from "@hearth/client";
import type { CreateProvider, ProviderInfo } from "@hearth/protocol";

export type ProviderCalls = Pick<Client["providers"], "list" | "create" | "remove">;

/**
 * Contract:
 * - the same server without a new key is used as it is
 * - a new key takes the place of the old one under the same name; if the new one cannot be set up, the old one stays
 * - a name that another server has is left alone: the new one gets a name of its own
 */
export const connect = async (calls: ProviderCalls, wanted: CreateProvider): Promise<ProviderInfo> => {
  const providers = await calls.list();
  const old =
    providers.find((provider) => provider.name === wanted.name && isSame(provider, wanted)) ??
    providers.find((provider) => wanted.baseUrl !== undefined && isSame(provider, wanted));
  if (old !== undefined) {
    return wanted.key === undefined && old.ready ? old : replace(calls, { ...wanted, name: old.name }, providers);
  }
  const taken = providers.filter(({ source }) => source !== "environment");
  return calls.create({ ...wanted, name: freeName(wanted.name, taken) });
};

/** Wishes are met one after the other; the same wish again, for instance a test and then the choice, is met once. */
export const createSetup = (calls: ProviderCalls): ((wanted: CreateProvider) => Promise<ProviderInfo>) => {
  let last: { readonly wish: string; readonly met: Promise<ProviderInfo> } | undefined;
  return (wanted) => {
    const wish = JSON.stringify(wanted);
    if (last?.wish === wish) return last.met;
    const before = last?.met.catch(() => undefined) ?? Promise.resolve(undefined);
    const mine = { wish, met: before.then(() => connect(calls, wanted)) };
    last = mine;
    mine.met.catch(() => {
      if (last === mine) last = undefined;
    });
    return mine.met;
  };
};

const isSame = ({ source, kind, baseUrl }: ProviderInfo, wanted: CreateProvider): boolean =>
  source === "config" && kind === wanted.kind && baseUrl === wanted.baseUrl;

/** The new one first stands beside the old one, so that at no time there is none. */
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
  let made: ProviderInfo;
  try {
    made = await calls.create(wanted);
  } catch {
    // It is set up, under the other name.
    return beside;
  }
  // A second entry with the same key does no harm: a failure to tidy up is none of the person's.
  await calls.remove(beside.name).catch(() => undefined);
  return made;
};

const freeName = (name: string, taken: readonly ProviderInfo[]): string => {
  let free = name;
  for (let number = 2; taken.some((provider) => provider.name === free); number++) free = `${name}-${number}`;
  return free;
};
