/** References from the config to secrets. The config never contains a secret itself. */
import { SecretName } from "@hearth/protocol";

export type SecretReference =
  | { readonly kind: "env"; readonly name: string }
  /** A file. Relative paths start at the home folder. */
  | { readonly kind: "file"; readonly path: string }
  /** A secret of the first house. */
  | { readonly kind: "secret"; readonly name: string };

export type ParsedReference =
  | SecretReference
  | { readonly kind: "refused"; readonly why: string; readonly hint: string };

const HINT =
  'Store the key in the vault (hearth secret set NAME) and write "secret:NAME"; or put it into an environment variable and write "env:NAME", or into a file that only you can read and write "file:PATH".';

/**
 * Parses `secret:NAME`, `env:NAME` or `file:PATH`. The message of a refusal never repeats the text,
 * because the text may be the secret.
 */
export const parseReference = (text: string): ParsedReference => {
  if (text.startsWith("env:")) {
    const name = text.slice("env:".length);
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { kind: "env", name };
    return {
      kind: "refused",
      why: 'must name an environment variable after "env:"',
      hint: 'For example "env:OPENAI_API_KEY".',
    };
  }
  if (text.startsWith("file:")) {
    const path = text.slice("file:".length);
    if (path.trim() !== "" && !path.includes("\0")) return { kind: "file", path };
    return { kind: "refused", why: 'must name a file after "file:"', hint: 'For example "file:openai.key".' };
  }
  if (text.startsWith("secret:")) {
    const name = text.slice("secret:".length);
    if (SecretName.safeParse(name).success) return { kind: "secret", name };
    return { kind: "refused", why: 'must name a secret after "secret:"', hint: 'For example "secret:OPENAI".' };
  }
  return {
    kind: "refused",
    why: 'must be a reference, "secret:NAME", "env:NAME" or "file:PATH", and never the key itself',
    hint: HINT,
  };
};
