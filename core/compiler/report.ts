import type { SourceLocation } from '../schema/authored.ts'
import type { MessageId } from './messages.ts'

/** Of a check that a plugin brings. */
export type PluginMessageId = `${string}:${string}`

/** One thing that the compiler has to say. */
export interface Message {
  /** One of `messages.ts`, with a row in docs/reference/compile-messages.md; of a plugin's check `<plugin>:<rule>`. */
  readonly id: MessageId | PluginMessageId
  /** What is wrong, and what to write instead. */
  readonly message: string
  /** `null`: the element carries no place (a schema.json without positions). */
  readonly place: SourceLocation | null
}
export type Fault = Message
export type Warning = Message

interface LocatedElement {
  readonly $place?: SourceLocation
}

/** Collects what the checks and passes find, so that the author sees all of it at once. */
export class Report {
  readonly faults: Fault[] = []
  readonly warnings: Warning[] = []

  /** @param at the element, and the ones around it where it carries no place of its own */
  fault(id: Message['id'], message: string, ...at: readonly (LocatedElement | undefined)[]): void {
    this.faults.push({ id, message, place: placeOf(at) })
  }

  warn(id: Message['id'], message: string, ...at: readonly (LocatedElement | undefined)[]): void {
    this.warnings.push({ id, message, place: placeOf(at) })
  }
}

/** In the order of the source: by file, line, column; what has no place comes last, in the order it was found. */
export function inSourceOrder(messages: readonly Message[]): readonly Message[] {
  return messages.toSorted((a, b) => {
    if (a.place === null || b.place === null) return (a.place === null ? 1 : 0) - (b.place === null ? 1 : 0)
    if (a.place.file !== b.place.file) return a.place.file < b.place.file ? -1 : 1
    return a.place.line - b.place.line || a.place.column - b.place.column
  })
}

function placeOf(at: readonly (LocatedElement | undefined)[]): SourceLocation | null {
  for (const element of at) if (element?.$place !== undefined) return element.$place
  return null
}
