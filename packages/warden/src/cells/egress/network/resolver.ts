/** From a host to the addresses that are dialled: asked once, every answer checked, and nobody is asked again. */
import { parseAddress, bareHost } from "../../../policy/index.ts";
import { HearthError } from "@hearth/protocol";

/** The name system. Contract, checked by `resolverConformance`: every address of the name, none twice; throws `egress.failed` where there is none. */
export interface Resolver {
  resolve(name: string): Promise<readonly string[]>;
}

/** A name with more addresses than this is not looked at further. */
const MAX_ADDRESSES = 32;

/**
 * The addresses of a host, all of which may be dialled. One answer that may not refuses them all: a name that leads into the house's network
 * now and then is not to be trusted the other times. Throws `egress.refused`, `egress.failed`.
 */
export const pin = async (
  host: string,
  { resolver, mayDial }: { readonly resolver: Resolver; readonly mayDial: (address: string) => boolean },
): Promise<readonly string[]> => {
  const bare = bareHost(host);
  const addresses = parseAddress(bare) === undefined ? await resolver.resolve(bare) : [bare];
  if (addresses.length === 0 || addresses.length > MAX_ADDRESSES)
    throw new HearthError("egress.failed", `${host} has ${addresses.length} addresses.`);
  const inner = addresses.find((address) => !mayDial(address));
  if (inner !== undefined)
    throw new HearthError("egress.refused", `${host} leads to ${inner}, which is not the public network.`);
  return addresses;
};
