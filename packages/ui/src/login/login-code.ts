/**
 * Extracts the login code from pasted text: a complete login link, the part from the code on, or
 * the code.
 */
export const parseLoginCode = (pastedText: string): string => {
  const [, query = ""] =
    /[?&]((?:code=|[^#\s]*&code=)[^#\s]*)/.exec(pastedText) ?? /^\s*(code=[^#\s]*)/.exec(pastedText) ?? [];
  return (new URLSearchParams(query).get("code") ?? pastedText).trim();
};
