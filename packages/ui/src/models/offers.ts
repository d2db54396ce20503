/** The available model sources, from three independent requests. */
import { useCallback } from "react";
import { mayManageProviders } from "../house/may.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useAnswer } from "../house/answer.ts";
import type { Offers } from "./sources.ts";

export interface OffersQuery {
  readonly offers: Offers;
  readonly isAsking: boolean;
  /** The first error. */
  readonly error: unknown;
  readonly again: () => void;
}

/** Loads the model sources. Sends no request for users who do not manage the providers of models. */
export const useOffers = (): OffersQuery => {
  const { client } = useUi();
  const isOpen = mayManageProviders(useHouse().me);
  const listProviders = useCallback(() => client.providers.list(), [client]);
  const findServers = useCallback(() => client.providers.found(), [client]);
  const listKnownProviders = useCallback(() => client.providers.known(), [client]);
  const providers = useAnswer(isOpen ? listProviders : undefined);
  const found = useAnswer(isOpen ? findServers : undefined);
  const known = useAnswer(isOpen ? listKnownProviders : undefined);
  const again = useCallback(() => {
    for (const answer of [providers.again, found.again, known.again]) answer();
  }, [providers.again, found.again, known.again]);
  return {
    offers: { providers: providers.value ?? [], found: found.value ?? [], known: known.value ?? [] },
    isAsking: providers.isAsking || found.isAsking || known.isAsking,
    error: providers.error ?? found.error ?? known.error,
    again,
  };
};
