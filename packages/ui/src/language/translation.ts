/** Types that compare a translation with the English texts. */

/** The type of a text without its wording. */
type Wordless<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Result
    ? (...values: Values) => Wordless<Result>
    : Text extends object
      ? { readonly [Key in keyof Text]: Wordless<Text[Key]> }
      : Text;

/** The names of texts that the translation lacks, has in addition, or has with another type. */
export type Untranslated<English, Other> =
  | Exclude<keyof English, keyof Other>
  | Exclude<keyof Other, keyof English>
  | {
      [Name in keyof English & keyof Other]: Wordless<Other[Name]> extends Wordless<English[Name]> ? never : Name;
    }[keyof English & keyof Other];

/** Each translation declares `Complete<Untranslated<...>>`, which compiles only if no text is wrong. */
export type Complete<Names extends never> = Names;
