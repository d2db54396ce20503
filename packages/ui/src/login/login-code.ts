/**
 * Extracts the login code from pasted text: a complete login link, the part from the code on, or
 * the code.
 */
export const parseLoginCode = (pasted: string): string => {
  const [, query = ""] = /[?&]((?:code=|[^#\s]*&code=)[^#\s]*)/.exec(pasted) ?? /^\s*(code=[^#\s]*)/.exec(pasted) ?? [];
  return (new URLSearchParams(query).get("code") ?? pasted).trim();
};
