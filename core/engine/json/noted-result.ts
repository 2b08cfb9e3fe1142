import type { NotedText } from '../../base/util/noted-text.ts'
import type { WrittenList } from '../../base/util/written-list.ts'
import type { Result } from '../../contract/result.ts'

/** A result whose writer knows where its list stands. */
export class NotedResult implements Result {
  readonly data: string
  readonly errors = null
  readonly #list: WrittenList

  constructor({ text, list }: NotedText) {
    this.data = text
    this.#list = list
  }

  /** No property of its own: a copy with other `data` (`{ ...result, data }`) must not have the places of this one. */
  get list(): WrittenList {
    return this.#list
  }
}
