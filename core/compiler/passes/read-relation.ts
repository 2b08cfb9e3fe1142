import { toSnakeCase } from '../../base/util/naming.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredField, AuthoredRelation } from '../../schema/authored.ts'
import type { CompiledRead, CompiledSource } from '../../schema/compiled.ts'
import { isListRef, type TypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import type { NamedElement } from '../ground/type-index.ts'
import { shownName } from './describe-source.ts'
import type { FieldOwner } from './field-owner.ts'
import { checkPartialKey } from './partial-key.ts'
import { readPair } from './read-pair.ts'
import { readThrough } from './read-through.ts'
import { checkAcross } from './relation-across.ts'
import { findPairs, pairsOf, type Side } from './relation-by-name.ts'
import { checkTypeColumn } from './type-column.ts'

/**
 * Finds the columns that join a field to rows of another type: by its option `relation`, otherwise by the names of
 * columns (docs/reference/schema-json.md#where-values-come-from).
 * @param ref type of the field
 * @param target named type inside `ref`
 * @returns `null` after a reported fault
 */
export function readRelation(
  context: CompileContext,
  owner: FieldOwner,
  field: AuthoredField,
  ref: TypeRef,
  target: NamedElement,
): CompiledRead | null {
  const { report } = context
  const label = `${owner.named.name}.${field.name}`
  const at = [field, owner.named.element] as const
  const there = sideOf(context, target)
  const here: Side = {
    type: owner.named.name,
    source: owner.source!,
    document: owner.document,
    fields: owner.named.element.fields,
  }
  if (there === null) {
    if (context.typeSources.get(target.name)?.missing === true) return null
    const column = toSnakeCase(field.name)
    report.fault(
      'no-source',
      context.catalog === null
        ? `${label}: ${target.name} has no source, and without a database it is unknown whether ${shownName(context, here.source)} has ` +
            `a JSON column "${column}". Set sql_source on ${target.name}, or compile with the database.`
        : `${label}: ${target.name} has no source, and ${shownName(context, here.source)} has no JSON column "${column}". ` +
            `Set sql_source on ${target.name}, or add the column.`,
      ...at,
    )
    return null
  }
  checkTypeColumn(context, label, target, { ...there, typeColumn: undefined }, ...at)
  const list = isListRef(ref)
  if (field.relation?.through !== undefined) {
    return readThrough(context, label, { here, there, list, ...field.relation, through: field.relation.through }, ...at)
  }
  const pairs = field.relation === undefined ? findPairs(context, here, there, field, list) : pairsOf(field.relation)
  if (pairs === null || !checkColumns(context, label, field.relation, ...at)) return null
  if (!checkPartialKey(context, { here, there, pairs, list }, field)) return null
  const across = here.source.database !== there.source.database
  const [first, ...more] = pairs.map((pair) => readPair(context, label, { here, there, pair, across }, ...at))
  if (first == null || more.includes(null)) return null
  if (across && !checkAcross(context, label, { here, there, pairs, list }, ...at)) return null
  return {
    from: 'relation',
    target: context.typeSources.get(target.name)?.source ?? '',
    cardinality: list ? 'many' : 'one',
    ...first,
    ...(more.length === 0 ? {} : { also: more.filter((pair) => pair !== null) }),
    ...(across ? { across } : {}),
  }
}

/** Does each column have exactly one partner on the other side? */
function checkColumns(
  { report }: CompileContext,
  label: string,
  relation: AuthoredRelation | undefined,
  ...at: Parameters<CompileContext['report']['fault']>[2][]
): boolean {
  if (relation === undefined) return true
  const [from, to] = [[relation.from].flat(), [relation.to].flat()]
  const twice = [from, to].flatMap((names) => names.filter((name, i) => names.indexOf(name) !== i))
  if (from.length === to.length && twice.length === 0) return true
  const why =
    twice.length > 0
      ? `"${twice[0]}" stands twice in one list. Name each column once.`
      : `from has ${from.length} ${from.length === 1 ? 'column' : 'columns'} (${listNames(from)}) and to has ${to.length} (${listNames(to)}). Give each its partner, in the same order.`
  report.fault('relation-columns', `${label}: relation: ${why}`, ...at)
  return false
}

function sideOf(context: CompileContext, target: NamedElement): Side | null {
  const where = context.typeSources.get(target.name)
  const source: CompiledSource | undefined = where?.source == null ? undefined : context.sources.get(where.source)
  if (where === undefined || source === undefined) return null
  const fields = target.kind === 'object' || target.kind === 'interface' ? target.element.fields : []
  return { type: target.name, source, document: where.document, fields }
}
