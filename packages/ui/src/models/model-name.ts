/** Whether a text names a model as agents have it: `provider/model`. */
export const isModelName = (text: string): boolean => /^[^/\s]+\/\S+$/.test(text.trim());
