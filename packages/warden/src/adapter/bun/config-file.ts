/**
 * `hearth.toml` on this machine's disk: only its owner can read it, and it is never half written.
 */
import { readFile, realpath } from "node:fs/promises";
import { basename } from "node:path";
import { HearthError } from "@hearth/protocol";
import type { ConfigFile } from "../../kernel/config/file.ts";
import { replaceFile } from "./replace-file.ts";

export const createConfigFile = (path: string): ConfigFile => {
  const read = async (): Promise<string | undefined> => {
    try {
      return await unlessMissing(readFile(path, "utf8"));
    } catch (cause) {
      throw new HearthError(
        "config.invalid",
        `${path} cannot be read: ${cause instanceof Error ? cause.message : "unknown"}`,
        {
          hint: "Give your user permission to read it. Or move it away; the next start then creates a new one with comments.",
          cause,
        },
      );
    }
  };
  return {
    name: basename(path),
    read,
    // A link stays a link: its target is replaced.
    write: async (text) => replaceFile((await unlessMissing(realpath(path))) ?? path, text),
    async backup(suffix) {
      const text = await read();
      if (text !== undefined) await replaceFile(path + suffix, text);
    },
  };
};

const unlessMissing = async <Value>(promise: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};
