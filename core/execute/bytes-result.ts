import type { Result } from '../front/result.ts'

const decoder = new TextDecoder()

/** A result that was written as bytes; text when it is asked for. */
export class BytesResult implements Result {
  readonly bytes: Uint8Array
  readonly errors = null
  #data: string | null = null

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get data(): string {
    this.#data ??= decoder.decode(this.bytes)
    return this.#data
  }
}
