import type { SourceLocation } from '../../schema/authored.ts'
import type { MessageId } from './messages.ts'

/** Id of a message that a plugin's check reports: `<plugin>:<rule>`. */
export type PluginMessageId = `${string}:${string}`

/** A fault (error) or warning of the compiler about the author's schema. */
export interface Message {
  /** An id of `messages.ts`, which docs/reference/compile-messages.md lists, or the id of a plugin's check. */
  readonly id: MessageId | PluginMessageId
  /** The problem and how to correct it, as text for the author. */
  readonly message: string
  /** Location in the author's source. `null`: unknown, for example in a schema.json without positions. */
  readonly place: SourceLocation | null
}
export type Fault = Message
export type Warning = Message

interface LocatedElement {
  readonly $place?: SourceLocation
}

/** Collects faults and warnings during a compilation, so that the author sees them all at once. */
export class Report {
  readonly faults: Fault[] = []
  readonly warnings: Warning[] = []

  /** Reports a fault. @param at the element, then the elements that contain it, in case it has no location */
  fault(id: Message['id'], message: string, ...at: readonly (LocatedElement | undefined)[]): void {
    this.faults.push({ id, message, place: placeOf(at) })
  }

  warn(id: Message['id'], message: string, ...at: readonly (LocatedElement | undefined)[]): void {
    this.warnings.push({ id, message, place: placeOf(at) })
  }
}

/**
 * Returns the messages sorted by file, line and column. Messages without a location come last, in their present order.
 */
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
