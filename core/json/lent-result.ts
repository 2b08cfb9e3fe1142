import type { Result } from '../contract/result.ts'
import type { LentText } from '../util/lent-text.ts'

/** A result whose text is lent memory. The first read of `data` makes a string of it. */
export class LentResult implements Result {
  readonly text: LentText
  readonly errors = null
  #data: string | null = null

  constructor(text: LentText) {
    this.text = text
  }

  get data(): string {
    this.#data ??= this.text.toString()
    return this.#data
  }
}
