import type { LentText } from '../../base/util/lent-text.ts'
import type { Result } from '../../contract/result.ts'

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
