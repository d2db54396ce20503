/**
 * Resolves a host to the addresses that may be dialled. The name is resolved once, and every
 * address is checked.
 */
import { parseAddress, bareHost } from "../../../policy/index.ts";
import { HearthError } from "@hearth/protocol";

/**
 * Resolves names. Contract, checked by `resolverConformance`: returns every address of the name
 * once. Throws `egress.failed` if the name has no address.
 */
export interface Resolver {
  resolve(name: string): Promise<readonly string[]>;
}

/** Maximum number of addresses of a name. A name with more is refused. */
const MAX_ADDRESSES = 32;

/**
 * Returns the addresses of a host, all of which may be dialled. One forbidden address refuses the
 * whole host: a name that sometimes leads into the internal network cannot be trusted at other
 * times. Throws `egress.refused`, `egress.failed`.
 */
export const resolveDialable = async (
  host: string,
  { resolver, mayDial }: { readonly resolver: Resolver; readonly mayDial: (address: string) => boolean },
): Promise<readonly string[]> => {
  const hostOrAddress = bareHost(host);
  const addresses = parseAddress(hostOrAddress) === undefined ? await resolver.resolve(hostOrAddress) : [hostOrAddress];
  if (addresses.length === 0 || addresses.length > MAX_ADDRESSES)
    throw new HearthError("egress.failed", `${host} has ${addresses.length} addresses; the limit is ${MAX_ADDRESSES}.`);
  const forbidden = addresses.find((address) => !mayDial(address));
  if (forbidden !== undefined)
    throw new HearthError("egress.refused", `${host} resolves to ${forbidden}, which is not in the public network.`);
  return addresses;
};
