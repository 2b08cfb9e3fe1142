import type { ModelFunction, SkippedObject } from '../../../contract/database-model.ts'
import { type CompositeColumns, describeResult, inputsOf } from '../catalog/read-functions.ts'
import type { Types } from '../catalog/read-types.ts'
import { enumOf } from './describe-column.ts'
import type { FunctionFacts } from './read-model-functions.ts'
import type { ReadRelations } from './read-model-relations.ts'

/**
 * Lookups that resolve the OIDs in descriptions of functions: types, columns of composite types, and names of
 * relations.
 */
export interface FunctionContext {
  readonly types: Types
  readonly composites: CompositeColumns
  readonly relations: ReadRelations['names']
}

/**
 * Converts functions from the form of the system catalog to the form of the database model. `skipped` lists the
 * functions that svc cannot serve, with a reason: a pseudo-type as parameter or result, or `record` without declared
 * columns.
 */
export function describeFunctions(
  facts: readonly FunctionFacts[],
  context: FunctionContext,
): { readonly functions: readonly ModelFunction[]; readonly skipped: readonly SkippedObject[] } {
  const functions: ModelFunction[] = []
  const skipped: SkippedObject[] = []
  for (const one of facts) {
    const reason = reasonToSkip(one, context)
    if (reason === null) functions.push(describe(one, context))
    else skipped.push({ kind: one.kind, name: one.signature, reason })
  }
  return { functions, skipped }
}

function reasonToSkip(row: FunctionFacts, { types, composites }: FunctionContext): string | null {
  const parameter = inputsOf(row).find(({ type }) => types.isPseudo(type))
  if (parameter !== undefined) return `takes the pseudo-type ${parameter.sqlType}`
  const result = describeResult(row, types, composites)
  if (result.opaque === true) return 'returns record without declared columns'
  const values = result.kind === 'scalar' ? [row.result] : result.columns.map(({ type }) => type)
  const pseudo = values.find((type) => types.isPseudo(type))
  if (pseudo !== undefined) return `returns the pseudo-type ${types.nameOf(pseudo)}`
  return null
}

function describe(row: FunctionFacts, { types, composites, relations }: FunctionContext): ModelFunction {
  const result = describeResult(row, types, composites)
  const relation = result.relation === null ? undefined : relations.get(result.relation)
  return {
    schema: row.schema,
    name: row.name,
    visible: row.visible,
    kind: row.kind,
    ...(row.comment === undefined ? {} : { comment: row.comment }),
    volatility: row.volatility,
    parameters: inputsOf(row).map(({ name, type, mode, sqlType, hasDefault }) => ({
      name,
      type: types.nameOf(type),
      sqlType,
      hasDefault,
      ...(mode === 'v' ? { variadic: true } : {}),
      ...enumOf(types, type),
    })),
    returns: {
      set: result.set,
      kind: result.kind,
      type: result.type,
      ...enumOf(types, row.result),
      ...(relation === undefined ? {} : { relation }),
      columns: result.columns.map(({ name, type }) => ({ name, type: types.nameOf(type), ...enumOf(types, type) })),
    },
    executable: row.executable,
  }
}
