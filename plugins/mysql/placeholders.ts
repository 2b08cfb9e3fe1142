import type { Parameter } from '../../core/doors/plugin.ts'
import { MysqlError } from './dialect/mysql-error.ts'

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

/** Quoted parts, in which parentheses and keywords have no meaning. */
const NESTING = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|[()]|\bSELECT\b/gi

/**
 * Limit on {@link nestingCost}. The server takes some kilobytes for each of it when it prepares a statement, and does not
 * stop before its memory is used up.
 */
const MOST_NESTING = 20_000
/** ER_STACK_OVERRUN_NEED_MORE */
const TOO_DEEP = 1436

/**
 * Estimates the memory that MariaDB needs to prepare a statement. It counts what is in a subquery again for each subquery
 * that follows in the same SELECT, so that it grows exponentially with the depth.
 */
export function nestingCost(text: string): number {
  const statement: Select = { inside: 0, cost: 0 }
  // The SELECT of each open parenthesis; null: it is none.
  const open: (Select | null)[] = []
  for (const [part] of text.matchAll(NESTING)) {
    if (part === '(') open.push(null)
    else if (part === ')') {
      const select = open.pop()
      if (select === null || select === undefined) continue
      const outer = open.findLast((each) => each !== null) ?? statement
      outer.inside += select.cost + 1
      outer.cost += outer.inside
    } else if (/^select$/i.test(part) && open.length > 0) open[open.length - 1] ??= { inside: 0, cost: 0 }
  }
  return statement.cost
}

interface Select {
  /** Cost of the subqueries so far. */
  inside: number
  /** Sum of {@link inside} over the subqueries. */
  cost: number
}

/** @throws MysqlError that the server sends for other statements that are nested too deeply */
function checkNesting(text: string): void {
  if (nestingCost(text) <= MOST_NESTING) return
  const message = 'The server would need too much memory to prepare a statement that is nested so deeply.'
  throw new MysqlError({ errno: TOO_DEEP, state: 'HY000', message }, { code: '54001' })
}

/**
 * Converts numbered placeholders (`?1`), which a statement may use several times and in any order, to those of MySQL.
 * Placeholders without a number count from the last one. Expects the quotes of the driver's `sql_mode`: names in `"…"`,
 * no escapes with backslashes.
 * @throws MysqlError for a statement that is nested too deeply
 */
export function toPositional(text: string): PositionalSql {
  const found = known.get(text)
  if (found !== undefined) return found
  checkNesting(text)
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
