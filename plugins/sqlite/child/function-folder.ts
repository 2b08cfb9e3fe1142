import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from './call.ts'
import { type Bindings, Fault, type Library, type Prepared } from './library.ts'
import type { Answer, ScriptDescription, Value } from './protocol.ts'
import { parseScript, type Script } from './script.ts'
import { collect } from './statement-rows.ts'

interface Loaded {
  /** Version of the file. It is read again after a change, so that changed scripts take effect like functions of a server. */
  readonly version: string
  readonly file: string
  readonly sql: string
  readonly script: Script
  /** Prepared at the first use, because a statement may need a table that an earlier one creates. */
  readonly statements: (Prepared | undefined)[]
}

const EXPRESSION_LIMIT = 256
const NAME = /^[A-Za-z_][\w$-]*$/

/**
 * The SQL scripts that a SQLite database can call like stored functions: one file per function. Parsed scripts are
 * cached.
 */
export class FunctionFolder {
  readonly #library: Library
  readonly #folder: string
  readonly #loaded = new Map<string, Loaded>()
  /** Prepared expressions of arguments and defaults. */
  readonly #expressions = new Map<string, Prepared>()

  constructor(library: Library, folder: string) {
    this.#library = library
    this.#folder = folder
  }

  /**
   * Runs all statements of a script; the caller has begun a transaction.
   * @returns the rows of the last statement that has columns
   * @throws Fault
   */
  call(call: Call, parameters: Bindings, maxBytes: number): Answer {
    const loaded = this.#load(call.name)
    if (loaded === null) throw new Fault({ kind: 'sqlite', result: 1, message: `no such function: ${call.name}` })
    const values = this.#argumentsOf(call, loaded, parameters)
    let result: Answer = { rows: [], columns: [], done: true }
    for (const [i, { text, start }] of loaded.script.statements.entries()) {
      try {
        const statement = loaded.statements[i] ?? this.#library.prepare(text)
        loaded.statements[i] = statement
        const answer = collect(statement, values, maxBytes, true)
        if (answer.columns.length > 0) result = answer
      } catch (error) {
        throw placed(error, loaded, start)
      }
    }
    return result
  }

  /** Describes a script; `null` if there is none with this name. @throws Fault */
  describe(name: string): ScriptDescription | null {
    const loaded = this.#load(name)
    if (loaded === null) return null
    const { parameters, returns, statements } = loaded.script
    // Tables that the script creates do not exist yet.
    const isOpen = statements.some(({ words }) => words[0] === 'CREATE')
    let columns: ScriptDescription['columns'] = []
    for (const { text, start } of statements) {
      try {
        const statement = this.#library.prepare(text)
        const types = statement.columnTypes()
        const found = statement.columnNames().map((column, i) => ({ name: column, type: types[i] ?? null }))
        statement.finalize()
        if (found.length > 0) columns = found
      } catch (error) {
        if (!isOpen) throw placed(error, loaded, start)
        columns = null
      }
    }
    return {
      name,
      parameters: parameters.map(({ name: parameter, type, fallback }) => ({
        name: parameter,
        type,
        hasDefault: fallback !== null,
      })),
      returns,
      columns,
    }
  }

  close(): void {
    for (const loaded of this.#loaded.values()) for (const statement of loaded.statements) statement?.finalize()
    this.#forgetExpressions()
  }

  #forgetExpressions(): void {
    for (const statement of this.#expressions.values()) statement.finalize()
    this.#expressions.clear()
  }

  #load(name: string): Loaded | null {
    if (!NAME.test(name)) return null
    const file = join(this.#folder, `${name}.sql`)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return null
    const version = `${found.mtimeMs} ${found.size} ${found.ino}`
    const known = this.#loaded.get(name)
    if (known?.version === version) return known
    for (const statement of known?.statements ?? []) statement?.finalize()
    this.#loaded.delete(name)
    const sql = readFileSync(file, 'utf8')
    try {
      const script = parseScript(sql)
      const loaded = { version, file: `${name}.sql`, sql, script, statements: [] }
      this.#loaded.set(name, loaded)
      return loaded
    } catch (error) {
      throw placed(error, { file: `${name}.sql`, sql }, null)
    }
  }

  #argumentsOf(call: Call, { script }: Loaded, parameters: Bindings): Readonly<Record<string, Value>> {
    const values: Record<string, Value> = {}
    for (const [i, argument] of call.arguments.entries()) {
      const name = argument.name ?? script.parameters[i]?.name
      const known = script.parameters.some((parameter) => parameter.name === name)
      if (!known) throw misfit(`${call.name} has no parameter ${name ?? `at place ${i + 1}`}`)
      values[`:${name}`] = this.#evaluate(argument.expression, parameters)
    }
    for (const { name, fallback } of script.parameters) {
      if (Object.hasOwn(values, `:${name}`)) continue
      if (fallback === null) throw misfit(`${call.name} is called without its parameter ${name}`)
      values[`:${name}`] = this.#evaluate(fallback, [])
    }
    return values
  }

  #evaluate(expression: string, parameters: Bindings): Value {
    let statement = this.#expressions.get(expression)
    if (statement === undefined) {
      if (this.#expressions.size >= EXPRESSION_LIMIT) this.#forgetExpressions()
      statement = this.#library.prepare(`SELECT ${expression}`)
      this.#expressions.set(expression, statement)
    }
    statement.start(parameters)
    try {
      return statement.step()?.[0] ?? null
    } finally {
      statement.reset()
    }
  }
}

function misfit(message: string): Fault {
  return new Fault({ kind: 'sqlite', result: 1, message: `no such function: ${message}` })
}

/** Adds the script and the line of the failing statement to an error. */
function placed(error: unknown, { file, sql }: Pick<Loaded, 'file' | 'sql'>, start: number | null): unknown {
  if (!(error instanceof Fault)) return error
  const offset = start ?? (error.failure.position ?? 1) - 1
  const line = sql.slice(0, offset).split('\n').length
  return new Fault({ ...error.failure, where: `${file}:${line}`, position: undefined })
}
