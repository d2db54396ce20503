/** The available model sources, from three independent requests. */
import { useCallback } from "react";
import { mayManageProviders } from "../house/may.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useRequest } from "../house/request.ts";
import type { Offers } from "./sources.ts";

export interface OffersQuery {
  readonly offers: Offers;
  readonly isLoading: boolean;
  /** The first error. */
  readonly error: unknown;
  readonly reload: () => void;
}

/** Loads the model sources. Sends no request for users who do not manage the providers of models. */
export const useOffers = (): OffersQuery => {
  const { client } = useUi();
  const isOpen = mayManageProviders(useHouse().me);
  const listProviders = useCallback(() => client.providers.list(), [client]);
  const findServers = useCallback(() => client.providers.found(), [client]);
  const listKnownProviders = useCallback(() => client.providers.known(), [client]);
  const providers = useRequest(isOpen ? listProviders : undefined);
  const foundServers = useRequest(isOpen ? findServers : undefined);
  const knownProviders = useRequest(isOpen ? listKnownProviders : undefined);
  const reload = useCallback(() => {
    for (const reloadPart of [providers.reload, foundServers.reload, knownProviders.reload]) reloadPart();
  }, [providers.reload, foundServers.reload, knownProviders.reload]);
  return {
    offers: {
      providers: providers.value ?? [],
      foundServers: foundServers.value ?? [],
      knownProviders: knownProviders.value ?? [],
    },
    isLoading: providers.isLoading || foundServers.isLoading || knownProviders.isLoading,
    error: providers.error ?? foundServers.error ?? knownProviders.error,
    reload,
  };
};
