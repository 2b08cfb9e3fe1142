import type { AuthoredQuery, AuthoredType } from '../../schema/authored.ts'
import { rowFilterProblem } from '../../schema/row-filter.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { describeSource } from '../passes/describe-source.ts'
import { documentOfQuery } from '../passes/query-document.ts'
import { type RowsPlace, readInjected } from '../passes/read-condition.ts'
import { membersOf } from '../passes/resolve-sources.ts'
import { checkInject } from './access.ts'

/** Tests whether a type restricts every read of its rows by `inject` or `row_filter`. */
export function hasTypeRules({ inject, row_filter }: Pick<AuthoredType, 'inject' | 'row_filter'>): boolean {
  return row_filter !== undefined || Object.keys(inject ?? {}).length > 0
}

/**
 * Checks the options `inject` and `row_filter` of types: they are well-formed, the type has a view or table, and each
 * view that returns its rows has the columns that `inject` names.
 */
export function checkTypeRules(context: CompileContext): void {
  const { schema, report, typeSources } = context
  for (const type of schema.types ?? []) {
    if (!hasTypeRules(type)) continue
    const label = `Type "${type.name}"`
    checkInject(context, label, type.inject ?? {}, type)
    const problem = type.row_filter === undefined ? null : rowFilterProblem(type.row_filter)
    if (problem !== null) report.fault('row-filter', `${label}: row_filter: ${problem}`, type)
    const own = typeSources.get(type.name)
    if (own !== undefined && own.source === null && !own.missing) {
      report.fault(
        'type-rules',
        `${label} has rules (inject, row_filter) and no view or table whose rows they could hold for. Set sql_source; what lives in the document of its parent is guarded there.`,
        type,
      )
      continue
    }
    for (const query of schema.queries ?? []) checkQuerySource(context, type, query)
  }
}

/**
 * Checks the source of a query that returns the type, also as a member of an interface or union, if it differs from
 * that of the type.
 */
function checkQuerySource(context: CompileContext, type: AuthoredType, query: AuthoredQuery): void {
  const ref = parseTypeRef(query.type)
  const result = ref === null ? undefined : context.index.get(namedTypeOf(ref).name)
  if (result === undefined) return
  if (result.name !== type.name && !membersOf(context, result.name).includes(type.name)) return
  const name = query.sql_source ?? context.typeSources.get(result.name)?.source ?? null
  if (name === null || name === context.typeSources.get(type.name)?.source) return
  const source = describeSource(context, name)
  const named = context.index.get(type.name)
  if (source === null || named === undefined) return
  const place: RowsPlace = { result: named, source, document: documentOfQuery(context, query, result, name, source) }
  const label = `Type "${type.name}", whose rows the query "${query.name}" shows`
  for (const column of Object.keys(type.inject ?? {})) readInjected(context, place, column, label, query)
}
