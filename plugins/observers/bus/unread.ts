import type { BusEntry } from './bus-entry.ts'

const MOST_ENTRIES = 2000
const MOST_BYTES = 64 * 1024 * 1024

/** Buffers entries of a message bus until they are read. While it is full, no more entries are fetched. */
export class Unread {
  #entries: BusEntry[] = []
  #bytes = 0

  add(entries: readonly BusEntry[]): void {
    this.#entries.push(...entries)
    for (const entry of entries) this.#bytes += bytesOf(entry)
  }

  take(limit: number): readonly BusEntry[] {
    const taken = this.#entries.slice(0, limit)
    this.#entries = this.#entries.slice(limit)
    for (const entry of taken) this.#bytes -= bytesOf(entry)
    return taken
  }

  get isFull(): boolean {
    return this.#entries.length > MOST_ENTRIES || this.#bytes > MOST_BYTES
  }
}

/** Approximate size of an entry: its rows, with two bytes per UTF-16 unit. */
function bytesOf({ event: { entity, before } }: BusEntry): number {
  return 2 * ((entity?.length ?? 0) + (before?.length ?? 0))
}
