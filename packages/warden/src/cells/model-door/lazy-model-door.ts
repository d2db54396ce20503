/** Loads the model door at a program's first request. Most cells never make one. */
import { lazy } from "@hearth/protocol";
import type { OwnHost } from "../egress/own-host.ts";
import type { ModelDoorOptions } from "./model-door.ts";

export const createLazyModelDoor = (options: ModelDoorOptions): OwnHost => {
  const load = lazy(async () => (await import("./model-door.ts")).createModelDoor(options));
  return async (request) => (await load())(request);
};
