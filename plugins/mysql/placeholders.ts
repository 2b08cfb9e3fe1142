import type { Parameter } from '../../core/doors/plugin.ts'

/** A statement as the server prepares it: with `?` for each use of a parameter. */
export interface PositionalSql {
  readonly text: string
  /** For each `?`, the index of its parameter. */
  readonly order: readonly number[]
  /** Is it a call of a procedure, or of several statements, whose errors may leave settings of the session changed? */
  readonly isCall: boolean
}

/** Texts, quoted names and comments, in which a question mark is no placeholder; then placeholders with and without a number. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\/\*[\s\S]*?\*\/|--[ \t][^\n]*|#[^\n]*|\?(\d*)/g

/** Limit on cached statements. Texts of single requests push each other out. */
const MOST = 2000
const known = new Map<string, PositionalSql>()

/**
 * Converts numbered placeholders (`?1`), which a statement may use several times and in any order, to those of MySQL.
 * Placeholders without a number count from the last one. Expects the quotes of the driver's `sql_mode`: names in `"…"`,
 * no escapes with backslashes.
 */
export function toPositional(text: string): PositionalSql {
  const found = known.get(text)
  if (found !== undefined) return found
  const order: number[] = []
  let last = 0
  const positional = text.replace(PARTS, (part, number: string | undefined) => {
    if (number === undefined) return part
    last = number === '' ? last + 1 : Number(number)
    order.push(last - 1)
    return '?'
  })
  const made = { text: positional, order, isCall: /^\s*CALL\b/i.test(text) }
  if (known.size >= MOST) known.delete(known.keys().next().value!)
  known.set(text, made)
  return made
}

/**
 * Returns the values to send for a statement's placeholders. A list becomes one JSON text.
 * @throws TypeError unless each value is a text, null or a list of them; Error for a text with a character that
 *   PostgreSQL would reject
 */
export function toBound({ order }: PositionalSql, parameters: readonly Parameter[]): (string | null)[] {
  return order.map((index) => {
    const parameter = parameters[index]
    if (parameter === undefined) throw new Error(`The statement has no parameter ${index + 1}`)
    if (parameter === null) return null
    if (typeof parameter === 'string') return checked(parameter)
    if (Array.isArray(parameter)) return JSON.stringify(parameter.map(toItem))
    throw new TypeError(`A parameter must be text, null or a list of them, not ${typeof parameter}`)
  })
}

function toItem(item: unknown): string | null {
  if (item === null) return null
  if (typeof item === 'string') return checked(item)
  throw new TypeError(`An item of a list must be text or null, not ${typeof item}`)
}

/** Rejects NUL, as PostgreSQL does, so that the same request has the same answer on every database. */
function checked(text: string): string {
  if (text.includes('\0')) throw Object.assign(new Error('a text has the character NUL'), { code: '22021' })
  return text
}
