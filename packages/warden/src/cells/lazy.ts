/**
 * The second entry of the area `cells`: parts that are loaded on demand, so that a start does not
 * wait for them.
 */
export { resolveDialable } from "./egress/network/resolver.ts";
