import type { Database } from '../../../core/doors/plugin.ts'
import type { OrderTerm } from '../request.ts'
import type { Caller } from '../world/callers.ts'
import type { ListOf, Lists } from './lists.ts'
import { Conditions } from './postgres-conditions.ts'
import { keyOf, type Row } from './rows.ts'

/** Lists by plain SQL, a statement each. What was asked once is known: the rows never change. */
export class PostgresLists implements Lists {
  log: string[] | null = null
  readonly #database: Database
  readonly #caller: Caller
  readonly #known: Map<string, Promise<readonly string[]>>

  /** @param known answers that callers share: a statement says all that it depends on */
  constructor(database: Database, caller: Caller, known: Map<string, Promise<readonly string[]>>) {
    this.#database = database
    this.#caller = caller
    this.#known = known
  }

  async rows(list: ListOf): Promise<readonly Row[]> {
    const { source } = list
    const conditions = new Conditions(this.#caller)
    const where = conditions.ofList(list)
    const key = source.key.map((column) => `a."${column}"::text`).join(` || E'\\x01' || `)
    const limit = list.limit === null ? '' : ` LIMIT ${list.limit}`
    const offset = list.offset === null ? '' : ` OFFSET ${list.offset}`
    const text = `SELECT ${key} FROM "${source.name}" a WHERE ${where} ORDER BY ${orderOf(conditions, list)}${limit}${offset}`
    const keys = await this.#ask(text, conditions.parameters)
    return keys.map((found) => source.byKey.get(found) ?? source.rows.find((row) => keyOf(source.key, row) === found)!)
  }

  async count(list: ListOf): Promise<string> {
    const conditions = new Conditions(this.#caller)
    const where = conditions.ofList({ ...list, after: null, before: null })
    const [count] = await this.#ask(
      `SELECT count(*)::text FROM "${list.source.name}" a WHERE ${where}`,
      conditions.parameters,
    )
    return count!
  }

  #ask(text: string, parameters: readonly string[]): Promise<readonly string[]> {
    const key = `${text}\n-- ${JSON.stringify(parameters)}`
    this.log?.push(key)
    let known = this.#known.get(key)
    if (known === undefined) {
      known = this.#database.query({ name: null, text, readOnly: true }, parameters, null).then(
        ({ rows }) => rows.map((row) => String(row[0])),
        (error: Error) => {
          this.#known.delete(key)
          throw new Error(`The reference failed: ${error.message}\n${key}`, { cause: error })
        },
      )
      this.#known.set(key, known)
    }
    return known
  }
}

/** The sort keys, then what tells rows apart. Where nulls stand is said in each. */
function orderOf(conditions: Conditions, { type, orderBy, last, descending }: ListOf): string {
  const terms = orderBy.map(
    ({ field, direction }) => `${conditions.valueOf(field, 'a', type)} ${directionText(direction)}`,
  )
  const ends = last.map((column) => `a."${column}" ${descending ? 'DESC' : 'ASC'}`)
  return [...terms, ...ends].join(', ')
}

function directionText(direction: OrderTerm['direction']): string {
  const [way, , end] = direction.split('_')
  return `${way} NULLS ${end ?? (way === 'ASC' ? 'LAST' : 'FIRST')}`
}
