import type { Catalog, CatalogFunction } from '../../contract/database.ts'
import type { CompiledCallParameter, CompiledFunction, CompiledReturn } from '../../schema/compiled.ts'
import type { Difference } from './difference.ts'
import { readsAlike, takesAlike } from './fitting-type.ts'

/** A call of a database function in a compiled schema, as svc generates it for a mutation. */
export interface UsedCall {
  /** Name of the function in the database, with its schema if the compiled schema has one. */
  readonly name: string
  readonly place: string
  readonly target: CompiledFunction
  readonly parameters: readonly CompiledCallParameter[]
  readonly named: boolean
  /** Columns of the returned rows that responses may contain; `null`: unknown, so that all columns count. */
  readonly columns: ReadonlySet<string> | null
}

type Signature = Pick<CatalogFunction, 'kind' | 'parameters' | 'returns'>
type Problem = Pick<Difference, 'kind' | 'message' | 'column'>

export function compareCall(call: UsedCall, { functions }: Pick<Catalog, 'functions'>): readonly Difference[] {
  const { name, place } = call
  const overloads = functions.get(name) ?? []
  const of = { name, places: [place] }
  if (overloads.length === 0) return [{ ...of, kind: 'missing-function', message: `The database lacks ${name}` }]
  const tried = overloads.map((signature) => problemWith(call, signature))
  if (tried.includes(null)) return []
  const parameters = tried.filter((problem) => problem?.kind === 'function-parameters')
  // Preferably reports an overload that accepts the arguments, and differs only in its result.
  const nearest = tried.find((problem) => problem?.kind === 'function-result') ?? parameters[0]!
  return [{ ...of, ...nearest! }]
}

function problemWith(call: UsedCall, signature: Signature): Problem | null {
  const parameters = parametersProblem(call, signature)
  if (parameters !== null) return { kind: 'function-parameters', message: `${call.name} ${parameters}` }
  const { kind, returns } = call.target
  if (kind !== 'unknown' && kind !== signature.kind) {
    return { kind: 'function-result', message: `${call.name} is a ${signature.kind} and was a ${kind}` }
  }
  return returns === null ? null : resultProblem(call, returns, signature.returns)
}

function parametersProblem({ parameters: given, named }: UsedCall, { parameters }: Signature): string | null {
  const filled = new Set<CatalogFunction['parameters'][number]>()
  for (const [i, { name, type }] of given.entries()) {
    const found = named ? parameters.find((one) => one.name === name) : parameters[i]
    if (found === undefined) return named ? `has no parameter ${name}` : `takes no ${i + 1} arguments`
    if (!takesAlike(type, found.type)) return `takes ${found.type} as ${name ?? `argument ${i + 1}`}, which was ${type}`
    filled.add(found)
  }
  const open = parameters.find((one) => !filled.has(one) && !one.hasDefault)
  if (open === undefined) return null
  return `wants a parameter ${open.name ?? `of type ${open.type}`}, which the schema does not know and which has no default`
}

function resultProblem({ name, columns }: UsedCall, was: CompiledReturn, now: CompiledReturn): Problem | null {
  const kind = 'function-result'
  const text = ({ set, type }: CompiledReturn): string => `${set ? 'SETOF ' : ''}${type}`
  if (was.kind !== now.kind || was.set !== now.set) {
    return { kind, message: `${name} returns ${text(now)} and returned ${text(was)} when the schema was compiled` }
  }
  if (was.kind === 'scalar' && !readsAlike(was.type, now.type)) {
    return { kind, message: `${name} returns ${now.type} and returned ${was.type} when the schema was compiled` }
  }
  for (const column of was.columns) {
    if (columns !== null && !columns.has(column.name)) continue
    const found = now.columns.find((one) => one.name === column.name)
    if (found === undefined) {
      return { kind, column: column.name, message: `Rows of ${name} have no column "${column.name}"` }
    }
    if (!readsAlike(column.type, found.type)) {
      const message = `Column "${column.name}" of rows of ${name} is ${found.type} and was ${column.type}`
      return { kind, column: column.name, message }
    }
  }
  return null
}
