/**
 * Severity of a change. `breaking`: existing clients fail. `dangerous`: clients may behave differently. `safe`: no
 * effect on clients.
 */
export const CHANGE_LEVELS = ['breaking', 'dangerous', 'safe'] as const

export type ChangeLevel = (typeof CHANGE_LEVELS)[number]

/** Groups of clients, in the order of the output. */
export const CONSUMERS = ['graphql', 'rest', 'mcp', 'events'] as const

export type Consumers = (typeof CONSUMERS)[number]

/** A difference between two schemas, for one group of clients. */
export interface Change {
  readonly consumers: Consumers
  readonly level: ChangeLevel
  /** Identifies the kind of change for programs: `FIELD_REMOVED`. */
  readonly rule: string
  /** Location in the API: `Artist.name`, `GET /artists`. */
  readonly place: string
  readonly message: string
}

/** Reports a change of one group of clients. */
export type Report = (level: ChangeLevel, rule: string, place: string, message: string) => void

/** Collects the changes that `compare` reports. */
export function collectChanges(consumers: Consumers, compare: (report: Report) => void): readonly Change[] {
  const changes: Change[] = []
  compare((level, rule, place, message) => changes.push({ consumers, level, rule, place, message }))
  return changes
}

/** Quotes a value in a message. Long values are shortened. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
