import type { WrittenList } from './written-list.ts'

/** A short text, with the position in characters of a JSON list in the text. */
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
