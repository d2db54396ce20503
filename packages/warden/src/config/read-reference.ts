/** What a reference of the config leads to: read each time it is asked for, so that a change counts at the next use. */
import { isHearthError } from "@hearth/protocol";
import type { SecretReference } from "./reference.ts";

/** Where references lead. */
export interface ReferenceSources {
  readonly environment: (name: string) => string | undefined;
  /** The text of a file, or nothing where none can be read. A relative path starts at the home folder. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** A secret of the first house, or nothing where there is none. Throws `secret.locked`. Absent: there is no vault. */
  readonly secret?: (name: string) => Promise<string | undefined>;
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

export const readReference = async (reference: SecretReference, sources: ReferenceSources): Promise<Referred> => {
  switch (reference.kind) {
    case "env":
      return {
        where: `env:${reference.name}`,
        ...trimmed(sources.environment(reference.name)),
        lack: "is not set",
        fix: `Set ${reference.name} in the environment that Hearth starts in, and start it again.`,
      };
    case "file":
      return {
        where: `file:${reference.path}`,
        ...trimmed(await sources.readFile(reference.path)),
        lack: "is missing, empty or not readable",
        fix: `Put the key alone into the file ${reference.path}, readable for the user that runs Hearth.`,
      };
    case "secret":
      return readSecret(reference.name, sources);
  }
};

const readSecret = async (name: string, { secret }: ReferenceSources): Promise<Referred> => {
  const where = `secret:${name}`;
  const fix = `Keep it in the first house: hearth secret set ${name}`;
  try {
    return { where, ...trimmed(await secret?.(name)), lack: "is not a secret of the first house", fix };
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return { where, lack: `cannot be read: ${error.message}`, fix: error.hint ?? fix };
  }
};

const trimmed = (text: string | undefined): Pick<Referred, "text"> => {
  const key = text?.trim() ?? "";
  return key === "" ? {} : { text: key };
};
