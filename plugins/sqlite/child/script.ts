import { type StatementText, scriptFault, statementsOf, type Token, tokensOf } from './tokens.ts'

/** A SQL script that can be called like a stored function. */
export interface Script {
  readonly parameters: readonly ScriptParameter[]
  readonly returns: { readonly set: boolean; readonly type: string } | null
  readonly statements: readonly StatementText[]
}

export interface ScriptParameter {
  /** Name of the parameter without the colon. */
  readonly name: string
  /** Declared SQL type of the parameter; `null`: the script declares none. */
  readonly type: string | null
  /** Default value as an SQL expression; `null`: the argument is required. */
  readonly fallback: string | null
}

const DECLARED_PARAMETER = /^--\s*:([A-Za-z_]\w*)(?:\s+([A-Za-z][\w ]*?(?:\([\d, ]*\))?))?\s*(?:=\s*(.+?))?\s*$/
const DECLARED_RESULT = /^--\s*returns\s+(set\s+of\s+)?([A-Za-z][\w ]*?(?:\([\d, ]*\))?)\s*$/i
/** Statements that would end the transaction of the script, or affect more than the file. */
const REFUSED = new Set([
  'BEGIN',
  'COMMIT',
  'END',
  'ROLLBACK',
  'SAVEPOINT',
  'RELEASE',
  'ATTACH',
  'DETACH',
  'VACUUM',
  'PRAGMA',
])

/**
 * Parses a SQL script that serves as a function. Comments at its head may declare parameters (`-- :name type =
 * default`) and the result (`-- returns type`). Undeclared parameters follow in the order of their first use.
 * @throws Fault for a script that cannot serve as a function
 */
export function parseScript(sql: string): Script {
  const head = headOf(tokensOf(sql))
  const statements = statementsOf(sql)
  if (statements.length === 0) throw scriptFault('it holds no statement', 0)
  const used = new Set<string>()
  for (const { words, start, parameters } of statements) {
    if (REFUSED.has(words[0] ?? ''))
      throw scriptFault(`${words[0]} cannot stand in a script: it runs in one transaction as a whole`, start)
    for (const parameter of parameters) {
      if (!/^:[A-Za-z_]\w*$/.test(parameter))
        throw scriptFault(`the parameter ${parameter} is not written :name`, start)
      used.add(parameter.slice(1))
    }
  }
  const declared = new Map<string, ScriptParameter>()
  let returns: Script['returns'] = null
  for (const { text, start } of head) {
    const [, name, type, fallback] = DECLARED_PARAMETER.exec(text) ?? []
    if (name !== undefined) {
      if (!used.has(name)) throw scriptFault(`it declares :${name}, which no statement uses`, start)
      declared.set(name, { name, type: type ?? null, fallback: fallback ?? null })
      continue
    }
    const [, set, result] = DECLARED_RESULT.exec(text) ?? []
    if (result !== undefined) returns = { set: set !== undefined, type: result }
  }
  const others = [...used].filter((name) => !declared.has(name))
  return {
    parameters: [...declared.values(), ...others.map((name) => ({ name, type: null, fallback: null }))],
    returns,
    statements,
  }
}

function headOf(tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findIndex(({ kind }) => kind !== 'comment')
  return end < 0 ? tokens : tokens.slice(0, end)
}
