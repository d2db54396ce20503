/** The code in what a person pasted: a whole login link, the part of it from the code on, or the code itself. */
export const parseLoginCode = (pasted: string): string => {
  const [, query = ""] = /[?&]((?:code=|[^#\s]*&code=)[^#\s]*)/.exec(pasted) ?? /^\s*(code=[^#\s]*)/.exec(pasted) ?? [];
  return (new URLSearchParams(query).get("code") ?? pasted).trim();
};
