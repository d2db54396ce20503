/** How the config points at a secret. The secret itself never stands there. */

export type SecretReference =
  | { readonly kind: "env"; readonly name: string }
  /** A relative path starts at the home folder. */
  | { readonly kind: "file"; readonly path: string };

export type ParsedReference =
  | SecretReference
  | { readonly kind: "refused"; readonly why: string; readonly hint: string };

const HINT =
  'Put the key into an environment variable and write "env:NAME", or into a file that only you can read and write "file:PATH".';

/** Reads `env:NAME` or `file:PATH`. The refusal never repeats the text: it may be the secret. */
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
    return { kind: "refused", why: 'must name a file after "file:"', hint: 'For example "file:keys/openai".' };
  }
  if (text.startsWith("secret:"))
    return { kind: "refused", why: "names a secret store, and this house has none yet", hint: HINT };
  return {
    kind: "refused",
    why: 'must be a reference, "env:NAME" or "file:PATH", and never the key itself',
    hint: HINT,
  };
};
