/** Texts of reactions. */

// reaction-picker.tsx
/** The emoji that the picker offers, with their names. */
export const emojiNames = [
  ["👍", "thumbs up"],
  ["👎", "thumbs down"],
  ["❤️", "heart"],
  ["😂", "laughing"],
  ["🎉", "celebration"],
  ["😮", "surprised"],
  ["😢", "crying"],
  ["🙏", "thank you"],
  ["👀", "looking"],
  ["✅", "done"],
  ["❌", "no"],
  ["🤔", "thinking"],
  ["👏", "applause"],
  ["🔥", "fire"],
  ["🚀", "rocket"],
  ["💯", "one hundred"],
] as const;
export const removeEmoji = (name: string): string => `Remove ${name}`;
