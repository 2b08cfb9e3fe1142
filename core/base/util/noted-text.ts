import type { WrittenList } from './written-list.ts'

/**
 * The text of a result, with the position in characters of a JSON list in it. With the position, the plugin that sends
 * the response can cut out the list without parsing the text.
 */
export class NotedText {
  readonly text: string
  readonly list: WrittenList

  constructor(text: string, list: WrittenList) {
    this.text = text
    this.list = list
  }

  toString(): string {
    return this.text
  }
}
