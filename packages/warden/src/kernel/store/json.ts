/** Reads and writes JSON in columns. The type of the text says what it contains. */

declare const contents: unique symbol;

/** JSON text that `writeJson` made of a value of this type. */
export type Json<Type> = string & { readonly [contents]: Type };

export const writeJson = <Type>(value: Type): Json<Type> => JSON.stringify(value) as Json<Type>;

/** Returns a new value, so that its list is not read-only. */
export const readJson = <Type>(text: Json<Type>): Mutable<Type> => JSON.parse(text) as Mutable<Type>;

type Mutable<Type> = Type extends readonly (infer Item)[] ? Item[] : Type;
