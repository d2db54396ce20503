/** What a reference of the config leads to: read each time it is asked for, so that a change counts at the next use. */
import { isHearthError } from "@hearth/protocol";
import type { SecretReference } from "./reference.ts";

/** Where references lead. */
export interface ReferenceSources {
  readonly environment: (name: string) => string | undefined;
  /**
   * The text of a file, or undefined where none can be read. A relative path starts at the home folder. Throws
   * `config.invalid` for a file that no reference may name.
   */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /**
   * A secret of the first house, or undefined where there is none. Absent: there is no vault. Throws `secret.locked`, and
   * `secret.invalid` where a provider would send it to a host that it is not granted for.
   */
  readonly secret?: (name: string, provider?: URL) => Promise<string | undefined>;
}

export interface Referred {
  /** As the config has it. */
  readonly where: string;
  /** Without spaces and line ends around it. Absent: there is none. */
  readonly text?: string;
  /** What is wrong where there is none, as it follows `where`. */
  readonly lack: string;
  /** What a person does to put one there. */
  readonly fix: string;
}

/** `provider`: the base URL of the provider that would send what the reference leads to. */
export const readReference = async (
  reference: SecretReference,
  sources: ReferenceSources,
  provider?: URL,
): Promise<Referred> => {
  switch (reference.kind) {
    case "env":
      return {
        where: `env:${reference.name}`,
        ...trimmed(sources.environment(reference.name)),
        lack: "is not set",
        fix: `Set ${reference.name} in the environment that Hearth starts in, and start it again.`,
      };
    case "file":
      return readOrExplain(() => sources.readFile(reference.path), {
        where: `file:${reference.path}`,
        lack: "is missing, empty or not readable",
        fix: `Put the key alone into the file ${reference.path}, readable for the user that runs Hearth.`,
      });
    case "secret":
      return readOrExplain(async () => sources.secret?.(reference.name, provider), {
        where: `secret:${reference.name}`,
        lack: "is not a secret of the first house",
        fix: `Keep it in the first house: hearth secret set ${reference.name}`,
      });
  }
};

/** A source that refuses says why: its message and its hint take the place of `lack` and `fix`. */
const readOrExplain = async (
  read: () => Promise<string | undefined>,
  about: Omit<Referred, "text">,
): Promise<Referred> => {
  try {
    return { ...about, ...trimmed(await read()) };
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return { ...about, lack: `cannot be read: ${error.message}`, fix: error.hint ?? about.fix };
  }
};

const trimmed = (text: string | undefined): Pick<Referred, "text"> => {
  const key = text?.trim() ?? "";
  return key === "" ? {} : { text: key };
};
