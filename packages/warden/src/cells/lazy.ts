/** Parts of `cells` that no start loads, for other areas. */
export { pin } from "./egress/network/resolver.ts";
