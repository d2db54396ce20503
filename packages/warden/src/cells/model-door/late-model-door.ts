/** The model door, read when a program first knocks: most cells have none that does. */
import { createLate } from "@hearth/protocol";
import type { OwnHost } from "../egress/own-host.ts";
import type { ModelDoorOptions } from "./model-door.ts";

export const createLateModelDoor = (options: ModelDoorOptions): OwnHost => {
  const load = createLate(async () => (await import("./model-door.ts")).createModelDoor(options));
  return async (request) => (await load())(request);
};
