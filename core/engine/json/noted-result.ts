import type { NotedText } from '../../base/util/noted-text.ts'
import type { WrittenList } from '../../base/util/written-list.ts'
import type { Result } from '../../contract/result.ts'

/**
 * A result that includes the position of a list in its JSON text, so that the plugin that sends the result need not
 * search for it. The code that wrote the text recorded the position.
 */
export class NotedResult implements Result {
  readonly data: string
  readonly errors = null
  readonly #list: WrittenList

  constructor({ text, list }: NotedText) {
    this.data = text
    this.#list = list
  }

  /** A getter of the class, so that a copy with other `data` (`{ ...result, data }`) does not inherit the position. */
  get list(): WrittenList {
    return this.#list
  }
}
