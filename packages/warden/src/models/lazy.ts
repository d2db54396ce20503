/**
 * The second entry of the area `models`: parts that are loaded on demand, so that a start does not
 * wait for them.
 */
export { modelInfo } from "./catalog/model-info.ts";
