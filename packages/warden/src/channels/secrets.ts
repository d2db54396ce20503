/** Compares secrets in constant time, and removes them from displayed text. */

/** Compares two secrets. It takes the same time for wrong and right secrets. An absent secret matches nothing. */
export const isSameSecret = (value: string | null, expected: string): boolean => {
  const encoder = new TextEncoder();
  const left = encoder.encode(value ?? "");
  const right = encoder.encode(expected);
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index += 1) {
    difference |= (left[index] ?? 0) ^ (right[index % Math.max(right.length, 1)] ?? 0);
  }
  return difference === 0 && expected !== "";
};

export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => (secret === "" ? shown : shown.replaceAll(secret, "[secret]")), text);
