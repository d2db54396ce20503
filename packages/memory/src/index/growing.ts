/** Typed arrays that can grow. */

interface Numbers extends ArrayLike<number> {
  [index: number]: number;
  set(from: ArrayLike<number>): void;
}

export interface GrowableArray<Array extends Numbers> {
  /** Readable and writable up to the reserved length. `reserve` may replace the array. */
  readonly array: Array;
  reserve(length: number): void;
}

export const createGrowableArray = <Array extends Numbers>(create: (length: number) => Array): GrowableArray<Array> => {
  let array = create(64);
  return {
    get array() {
      return array;
    },
    reserve(length) {
      if (length <= array.length) return;
      const larger = create(Math.max(length, Math.ceil(array.length * 1.5)));
      larger.set(array);
      array = larger;
    },
  };
};
