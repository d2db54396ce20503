/**
 * A small replacement for zod in the browser bundle: same schemas, a tenth of the size. It
 * distinguishes event types and rejects values that do not match. It ignores limits (lengths,
 * patterns, ranges), which the house enforces: the house created the data, serves this page, and
 * validates all input. adapter/bun/shapes.test.ts compares it with zod.
 */

type Outcome =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly message: string } };

/** The result of parsing a value that does not match the schema. */
const MISMATCH = Symbol("mismatch");
type Read = (value: unknown) => unknown;

interface Fields {
  readonly [name: string]: Shape;
}

interface Shape {
  readonly read: Read;
  readonly shape?: Fields;
  /** Whether an object may omit the field. */
  readonly isOptional: boolean;
  safeParse(value: unknown): Outcome;
  parse(value: unknown): unknown;
  optional(): Shape;
  exactOptional(): Shape;
  nullable(): Shape;
  default(fallback: unknown): Shape;
  extend(fields: Fields): Shape;
  required(): Shape;
  transform(change: (value: unknown) => unknown): Shape;
  min(): Shape;
  max(): Shape;
  int(): Shape;
  positive(): Shape;
  nonnegative(): Shape;
  regex(): Shape;
  refine(): Shape;
  describe(): Shape;
  brand(): Shape;
}

const shape = (read: Read, options: { readonly shape?: Fields; readonly isOptional?: boolean } = {}): Shape => {
  const withFallback = (fallback: unknown): Shape =>
    shape((value) => (value === undefined ? fallback : read(value)), { isOptional: true });
  const returnSelf = (): Shape => self;
  const self: Shape = {
    read,
    isOptional: false,
    ...options,
    safeParse(value) {
      const data = read(value);
      return data === MISMATCH
        ? { success: false, error: { message: "has an unexpected structure" } }
        : { success: true, data };
    },
    parse(value) {
      const data = read(value);
      if (data === MISMATCH) throw new TypeError("has an unexpected structure");
      return data;
    },
    optional: () => withFallback(undefined),
    exactOptional: () => withFallback(undefined),
    nullable: () => shape((value) => (value === null ? null : read(value))),
    default: withFallback,
    extend: (fields) => object({ ...options.shape, ...fields }),
    // The house fills in missing fields.
    required: returnSelf,
    transform: (change) =>
      shape((value) => {
        const data = read(value);
        return data === MISMATCH ? MISMATCH : change(data);
      }),
    min: returnSelf,
    max: returnSelf,
    int: returnSelf,
    positive: returnSelf,
    nonnegative: returnSelf,
    regex: returnSelf,
    refine: returnSelf,
    describe: returnSelf,
    brand: returnSelf,
  };
  return self;
};

const ofType =
  (type: string): (() => Shape) =>
  () =>
    shape((value) => (typeof value === type ? value : MISMATCH));

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the object with default values for missing fields. Unknown fields stay. */
const object = (fields: Fields): Shape =>
  shape(
    (value) => {
      if (!isObject(value)) return MISMATCH;
      let data = value;
      for (const [name, field] of Object.entries(fields)) {
        const fieldValue = value[name];
        const parsedValue = field.read(fieldValue);
        if (parsedValue === MISMATCH) return MISMATCH;
        if (parsedValue !== fieldValue) data = { ...data, [name]: parsedValue };
      }
      return data;
    },
    { shape: fields },
  );

const array = (item: Shape): Shape =>
  shape((value) => {
    if (!Array.isArray(value)) return MISMATCH;
    const items = value.map(item.read);
    if (items.includes(MISMATCH)) return MISMATCH;
    return items.every((item, index) => item === value[index]) ? value : items;
  });

const tuple = (items: readonly Shape[]): Shape =>
  shape((value) => {
    if (!Array.isArray(value) || value.length !== items.length) return MISMATCH;
    const values = items.map((item, index) => item.read(value[index]));
    return values.includes(MISMATCH) ? MISMATCH : values;
  });

const union = (options: readonly Shape[]): Shape =>
  shape((value) => {
    for (const option of options) {
      const data = option.read(value);
      if (data !== MISMATCH) return data;
    }
    return MISMATCH;
  });

const literal = (expected: unknown): Shape => shape((value) => (value === expected ? value : MISMATCH));

interface EnumShape extends Shape {
  readonly options: readonly string[];
  exclude(options: readonly string[]): EnumShape;
}

const enumOf = (options: readonly string[]): EnumShape => ({
  ...shape((value) => (options.includes(value as string) ? value : MISMATCH)),
  options,
  exclude: (excludedOptions) => enumOf(options.filter((option) => !excludedOptions.includes(option))),
});

export const z = {
  string: ofType("string"),
  number: ofType("number"),
  boolean: ofType("boolean"),
  int: () => shape((value) => (Number.isSafeInteger(value) ? value : MISMATCH)),
  url: ofType("string"),
  json: () => shape((value) => (value === undefined ? MISMATCH : value)),
  unknown: () => shape((value) => value),
  literal,
  enum: enumOf,
  object,
  strictObject: object,
  array,
  tuple,
  union,
  discriminatedUnion: (_key: string, options: readonly Shape[]) => union(options),
  intersection: (a: Shape, b: Shape) =>
    shape((value) => {
      const firstResult = a.read(value);
      return firstResult === MISMATCH || b.read(value) === MISMATCH ? MISMATCH : firstResult;
    }),
  record: (_key: Shape, item: Shape) =>
    shape((value) =>
      isObject(value) && Object.values(value).every((member) => item.read(member) !== MISMATCH) ? value : MISMATCH,
    ),
  coerce: { number: () => shape((value) => (Number.isNaN(Number(value)) ? MISMATCH : Number(value))) },
  config: () => undefined,
};
