/**
 * Resolves references of the config. They are read at each use, so that a changed value applies at
 * the next use.
 */
import { isHearthError } from "@hearth/protocol";
import type { SecretReference } from "./reference.ts";

/** Sources of referenced values. */
export interface ReferenceSources {
  readonly environment: (name: string) => string | undefined;
  /**
   * Returns the text of a file, or undefined if it cannot be read. Relative paths start at the
   * home folder. Throws `config.invalid` for a file that references must not use.
   */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /**
   * Returns a secret of the first house, or undefined. Absent if there is no vault. Throws
   * `secret.locked`, and `secret.invalid` if a provider may not send the secret to its host.
   */
  readonly secret?: (name: string, provider?: URL) => Promise<string | undefined>;
}

export interface ResolvedReference {
  /** The reference as written in the config. */
  readonly reference: string;
  /** The value without surrounding blanks. Absent if there is no value. */
  readonly text?: string;
  /** Says why there is no value, as a phrase that follows `reference`. */
  readonly problem: string;
  /** Says what a person can do. */
  readonly remedy: string;
}

/** Reads a reference. `provider` is the base URL of the provider that would send the value. */
export const readReference = async (
  reference: SecretReference,
  sources: ReferenceSources,
  provider?: URL,
): Promise<ResolvedReference> => {
  switch (reference.kind) {
    case "env":
      return {
        reference: `env:${reference.name}`,
        ...toTextField(sources.environment(reference.name)),
        problem: "is not set",
        remedy: `Set ${reference.name} in the environment of the daemon, and restart it.`,
      };
    case "file":
      return readOrExplain(() => sources.readFile(reference.path), {
        reference: `file:${reference.path}`,
        problem: "is missing, empty or not readable",
        remedy: `Put only the key into the file ${reference.path}, readable by the user that runs Hearth.`,
      });
    case "secret":
      return readOrExplain(async () => sources.secret?.(reference.name, provider), {
        reference: `secret:${reference.name}`,
        problem: "is not a secret of the first house",
        remedy: `Store it in the first house: hearth secret set ${reference.name}`,
      });
  }
};

/**
 * Reads the text, or explains why it cannot. If a source refuses, its message and hint replace
 * `problem` and `remedy`.
 */
const readOrExplain = async (
  readText: () => Promise<string | undefined>,
  explanation: Omit<ResolvedReference, "text">,
): Promise<ResolvedReference> => {
  try {
    return { ...explanation, ...toTextField(await readText()) };
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return { ...explanation, problem: `cannot be read: ${error.message}`, remedy: error.hint ?? explanation.remedy };
  }
};

const toTextField = (text: string | undefined): Pick<ResolvedReference, "text"> => {
  const key = text?.trim() ?? "";
  return key === "" ? {} : { text: key };
};
