/** An entry of an object literal, or of named arguments: its name, and the source code of its value. */
export type Entry = readonly [name: string, code: string]

/** The parts in which the languages of printed schemas differ for options of elements. */
export interface Syntax {
  /** Converts a key of schema.json, in snake_case, to the name of an option. */
  optionName(key: string): string
  /** Returns the source of a literal for a JSON value, on one line. */
  value(value: unknown): string
  /** Returns the source of an object with these members, on one line. */
  object(entries: readonly Entry[]): string
}
