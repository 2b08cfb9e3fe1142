/**
 * Severities of a change between two schemas. `breaking`: existing clients fail. `dangerous`: clients may behave
 * differently. `safe`: no effect on clients.
 */
export const CHANGE_LEVELS = ['breaking', 'dangerous', 'safe'] as const

export type ChangeLevel = (typeof CHANGE_LEVELS)[number]

/** Groups of clients that `svc diff` compares schemas for, in the order of its output. */
export const CONSUMERS = ['graphql', 'rest', 'mcp', 'events'] as const

export type Consumers = (typeof CONSUMERS)[number]

/** A difference between two versions of a schema, as one group of clients sees it. */
export interface Change {
  readonly consumers: Consumers
  readonly level: ChangeLevel
  /** Kind of the change, as a constant that programs can match: `FIELD_REMOVED`. */
  readonly rule: string
  /** Location in the API: `Artist.name`, `GET /artists`. */
  readonly place: string
  readonly message: string
}

/**
 * Records a change for the group of clients that is being compared.
 * @param rule kind of change, such as `FIELD_REMOVED`
 * @param place location in the API, such as `Artist.name`
 */
export type Report = (level: ChangeLevel, rule: string, place: string, message: string) => void

/** Runs a comparison, and returns the changes that it reports, each marked with the group of clients. */
export function collectChanges(consumers: Consumers, compare: (report: Report) => void): readonly Change[] {
  const changes: Change[] = []
  compare((level, rule, place, message) => changes.push({ consumers, level, rule, place, message }))
  return changes
}

/**
 * Formats a value for a message: texts unchanged, other values as JSON. Results longer than 80 characters are
 * shortened.
 */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
