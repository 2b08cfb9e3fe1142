/** Slots for each entry that may be kept: a key that comes again after that many others is a new one. */
const SLOTS_PER_ENTRY = 2
const FEWEST = 1 << 10
/** 4 MiB. */
const MOST = 1 << 20

/**
 * Which keys were asked for lately, by a fingerprint in one slot each: bounded memory, no list to keep in order, and what is
 * old is overwritten by what is new. A full cache that keeps only what is asked for again is not emptied by requests of
 * which each comes once, and pays nothing for their answers (the doorkeeper of TinyLFU, Einziger, Friedman and Manes 2017).
 */
export class AskedBefore {
  readonly #slots: Uint32Array
  readonly #mask: number

  /** @param entries that the cache may hold */
  constructor(entries: number) {
    const slots = 2 ** Math.ceil(Math.log2(Math.min(MOST, Math.max(FEWEST, entries * SLOTS_PER_ENTRY))))
    this.#slots = new Uint32Array(slots)
    this.#mask = slots - 1
  }

  /**
   * Notes that it is asked for.
   * @param key a digest in letters, of at least twelve characters: its first ones are as good as a hash of it
   * @returns whether it was lately. Seldom (one in millions) true for one that was not
   */
  note(key: string): boolean {
    const place = mix(key, 0) & this.#mask
    // 0 is a slot that was never used.
    const mark = (mix(key, 6) | 1) >>> 0
    if (this.#slots[place] === mark) return true
    this.#slots[place] = mark
    return false
  }
}

/** Six characters of six bits as one number: each of its bits is as good as the next. */
function mix(key: string, from: number): number {
  let mixed = 0
  for (let i = from; i < from + 6; i++) mixed = Math.imul(mixed ^ key.charCodeAt(i), 0x9e3779b1)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
