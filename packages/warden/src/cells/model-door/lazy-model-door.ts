/** The model door, read when a program first knocks: most cells have none that does. */
import { lazy } from "@hearth/protocol";
import type { OwnHost } from "../egress/own-host.ts";
import type { ModelDoorOptions } from "./model-door.ts";

export const createLazyModelDoor = (options: ModelDoorOptions): OwnHost => {
  const load = lazy(async () => (await import("./model-door.ts")).createModelDoor(options));
  return async (request) => (await load())(request);
};
