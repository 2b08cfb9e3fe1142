import type { LentText } from '../../base/util/lent-text.ts'
import type { Result } from '../../contract/result.ts'

/** A result whose JSON is in memory that belongs to another owner. The string is created when `data` is first read. */
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
