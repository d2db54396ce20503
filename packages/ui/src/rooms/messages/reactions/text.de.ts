/** German texts of reactions. */

// reaction-picker.tsx
/** The emoji that the picker offers, with their names. */
export const emojiNames = [
  ["👍", "Daumen hoch"],
  ["👎", "Daumen runter"],
  ["❤️", "Herz"],
  ["😂", "Lachen"],
  ["🎉", "Feier"],
  ["😮", "überrascht"],
  ["😢", "weinend"],
  ["🙏", "danke"],
  ["👀", "angesehen"],
  ["✅", "erledigt"],
  ["❌", "nein"],
  ["🤔", "nachdenklich"],
  ["👏", "Applaus"],
  ["🔥", "Feuer"],
  ["🚀", "Rakete"],
  ["💯", "hundert"],
] as const;
export const removeEmoji = (name: string): string => `${name} entfernen`;
