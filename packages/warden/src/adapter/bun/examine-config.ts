/** Reads the config file of a house that need not run. */
import { type ErrorBody, toErrorBody } from "@hearth/protocol";
import { parseConfig } from "../../kernel/config/read.ts";
import { createConfigFile } from "./config-file.ts";

/** Returns the error with which the house would refuse this file, or undefined. A missing file is valid. */
export const examineConfigFile = async (path: string): Promise<ErrorBody | undefined> => {
  const file = createConfigFile(path);
  try {
    const text = await file.read();
    if (text !== undefined) parseConfig(text, file.name);
    return undefined;
  } catch (error) {
    return toErrorBody(error);
  }
};
