/** Whether a text has the format `provider/model`. */
export const isModelName = (text: string): boolean => /^[^/\s]+\/\S+$/.test(text.trim());
