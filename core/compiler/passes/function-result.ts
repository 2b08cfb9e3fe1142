import { listNames } from '../../base/util/nearest.ts'
import type { CatalogFunction } from '../../contract/database.ts'
import type { AuthoredMutation } from '../../schema/authored.ts'
import { isRecord } from '../../schema/return-form.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import { columnMismatch } from '../ground/column-type.ts'
import type { CompileContext } from '../ground/context.ts'
import { isComposite, type NamedElement } from '../ground/type-index.ts'
import { columnOf, shownName } from './describe-source.ts'

/**
 * Checks that the return type of a SQL function can be converted to the result type of the mutation that calls it
 * (docs/guides/mutations.md). It reports only combinations that fail for every row.
 */
export function checkResult(context: CompileContext, mutation: AuthoredMutation, { returns }: CatalogFunction): void {
  const ref = parseTypeRef(mutation.type)
  const named = ref === null ? undefined : context.index.get(namedTypeOf(ref).name)
  if (ref === null || named === undefined) return
  const fault = (what: string): void =>
    context.report.fault('function-result', `Mutation "${mutation.name}" returns ${mutation.type}: ${what}`, mutation)
  if (mutation.cascade === true && !mayCascade(returns)) {
    fault(
      'it has cascade, and its function gives no column "cascade" to report other rows in. Add it to the result, or drop cascade.',
    )
  }
  if (returns.opaque === true) {
    fault(
      `its function returns ${returns.set ? 'SETOF ' : ''}record, and nothing says which columns that has. ` +
        'Declare them: RETURNS TABLE (…), OUT parameters, or RETURNS SETOF <view>.',
    )
    return
  }
  if (returns.kind === 'void') {
    if (ref.nullable || named.name === 'Boolean') return
    fault('its function returns nothing (void). Declare Boolean or a nullable result, or return a row.')
    return
  }
  if (returns.kind === 'composite' && isOneValue(named) && returns.columns.length > 1 && !isRecord(returns.columns)) {
    const names = listNames(returns.columns.map(({ name }) => name))
    fault(
      `its function returns rows of several columns (${names}), which are no ${named.name}. Declare JSON, or a type with these fields, or return one value.`,
    )
  }
  if (returns.kind !== 'scalar') return
  const { type } = returns
  if (type === 'json' || type === 'jsonb') return
  if (!isComposite(named)) {
    const list = ref.kind === 'list' && returns.set
    const fitting = columnMismatch(list ? ref.of : ref, context.index, type)
    if (fitting !== null) fault(`its function returns ${type}. Declare ${fitting}, or change the function.`)
    return
  }
  // The function returns an id, and the row is read again from the type's source.
  const identity = type.replace(/^_/, '')
  if (['bool', 'float4', 'float8', 'numeric', 'date', 'timestamp', 'timestamptz', 'bytea'].includes(identity)) {
    fault(`its function returns ${type}, which is neither a row nor the id of one.`)
    return
  }
  if (named.kind !== 'object') return
  const where = context.typeSources.get(named.name)
  const source = where?.source == null ? undefined : context.sources.get(where.source)
  if (where?.source == null) {
    fault(
      `its function returns ${type}, an id, and ${named.name} has no source to read the row from. Set sql_source on ${named.name}.`,
    )
  } else if (source !== undefined && where.document === null && columnOf(source, idColumn(named)) === null) {
    fault(
      `its function returns ${type}, an id, and ${shownName(context, source)} has no column "${idColumn(named)}" to find the row by. Add it, or return the row.`,
    )
  }
}

/** Returns the column of the field `id`. */
function idColumn({ element }: Extract<NamedElement, { kind: 'object' }>): string {
  return element.fields.find(({ name }) => name === 'id')?.column ?? 'id'
}

/** Is the type an enum, or a scalar that accepts no object? Custom scalars may accept any value. */
function isOneValue(named: NamedElement): boolean {
  return named.kind === 'enum' || (named.kind === 'scalar' && named.element === null && named.base.wire !== 'json')
}

/**
 * Can the result have a `cascade`? A JSON document can, and so can a result whose columns the catalog does not list.
 */
function mayCascade(returns: CatalogFunction['returns']): boolean {
  if (returns.kind === 'void') return false
  if (returns.kind === 'scalar') return returns.type === 'json' || returns.type === 'jsonb'
  return returns.columns.length === 0 || returns.columns.some(({ name }) => name === 'cascade')
}
