import type { ModelFunction, SkippedObject } from '../../../contract/database-model.ts'
import type { CatalogReader } from '../catalog/catalog-reader.ts'
import { belongsToUser, commentOf, isImplied } from './user-objects.ts'

/**
 * A function or procedure as introspection reads it from `pg_proc`. `result` and `arguments.type` are OIDs; `mode` is a
 * letter as in `proargmodes`; `defaults` is the number of last parameters with a default.
 */
export interface FunctionFacts
  extends Pick<ModelFunction, 'name' | 'visible' | 'kind' | 'comment' | 'volatility' | 'executable'> {
  readonly schema: string
  readonly set: boolean
  readonly result: string
  readonly defaults: number
  readonly arguments: readonly {
    readonly name: string | null
    readonly type: string
    readonly mode: string
    readonly sqlType: string
  }[]
  /** Text that identifies the overload in messages: `schema.name(integer, text)`. */
  readonly signature: string
}

const VOLATILITY = { i: 'immutable', s: 'stable', v: 'volatile' } as const

const SKIPPED: Readonly<Record<string, readonly [kind: string, reason: string]>> = {
  a: ['aggregate', 'is an aggregate function'],
  w: ['window function', 'is a window function'],
  t: ['function', 'is a trigger function'],
}

const SQL = `
SELECT n.nspname, p.proname, pg_catalog.pg_function_is_visible(p.oid),
  CASE WHEN p.prorettype = ANY (ARRAY['trigger', 'event_trigger']::regtype[]) THEN 't' ELSE p.prokind END,
  ${commentOf('pg_proc', 'p.oid')}, p.provolatile, p.proretset, p.prorettype, p.pronargdefaults,
  array_to_json(coalesce(p.proargnames, '{}')), array_to_json(coalesce(p.proargmodes, '{}')),
  array_to_json(coalesce(p.proallargtypes, p.proargtypes::oid[])),
  (SELECT pg_catalog.json_agg(pg_catalog.format_type(u.type, NULL) ORDER BY u.i)
    FROM unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY AS u(type, i)),
  pg_catalog.oidvectortypes(p.proargtypes),
  pg_catalog.has_function_privilege(p.oid, 'EXECUTE') AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
WHERE ${belongsToUser('p.proname')} AND NOT ${isImplied('pg_proc', 'p.oid')}
ORDER BY n.nspname, p.proname, p.pronargs, p.oid`

/**
 * Reads all functions and procedures outside system schemas and extensions, one entry per overload, in one round trip.
 * `skipped` lists those that svc cannot call (aggregates, window functions, trigger functions), with the reason.
 */
export async function readModelFunctions(
  reader: Pick<CatalogReader, 'query'>,
): Promise<{ readonly functions: readonly FunctionFacts[]; readonly skipped: readonly SkippedObject[] }> {
  const functions: FunctionFacts[] = []
  const skipped: SkippedObject[] = []
  for (const row of await reader.query(SQL, [])) {
    const [schema, name, visible, kind, comment, volatility, set, result, defaults, ...rest] = row as readonly string[]
    const [names, modes, types, sqlTypes, parameters, executable] = rest
    const signature = `${schema}.${name}(${parameters})`
    const unusable = SKIPPED[kind!]
    if (unusable !== undefined) {
      skipped.push({ kind: unusable[0], name: signature, reason: unusable[1] })
      continue
    }
    functions.push({
      schema: schema!,
      name: name!,
      visible: visible === 't',
      kind: kind === 'p' ? 'procedure' : 'function',
      ...(comment === null ? {} : { comment: comment! }),
      volatility: VOLATILITY[volatility as keyof typeof VOLATILITY],
      executable: executable === 't',
      set: set === 't',
      result: result!,
      defaults: Number(defaults),
      arguments: readArguments(names!, modes!, types!, sqlTypes ?? '[]'),
      signature,
    })
  }
  return { functions, skipped }
}

/** Joins the four lists of a function's arguments, which are JSON. Absent names and modes leave their lists empty. */
function readArguments(names: string, modes: string, types: string, sqlTypes: string): FunctionFacts['arguments'] {
  const [nameList, modeList, sqlTypeList] = [names, modes, sqlTypes].map((list) => JSON.parse(list) as string[])
  return (JSON.parse(types) as unknown[]).map((type, i) => ({
    name: nameList![i] || null,
    type: String(type),
    mode: modeList![i] ?? 'i',
    sqlType: sqlTypeList![i]!,
  }))
}
