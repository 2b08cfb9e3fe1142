import { listNames } from '../../base/util/nearest.ts'
import type { FieldModel, InterfaceType, NamedType, ObjectType, SchemaModel } from '../../schema/model.ts'
import { slotOf } from '../../schema/payload-slot.ts'
import type { CompileContext } from '../ground/context.ts'
import { fieldsOf } from '../ground/type-index.ts'

/**
 * Reports fields that read objects from a stored JSON document although their type has rules (`inject`, `row_filter`).
 * The rules apply to rows of the type, not to such a copy, so every read of the field would fail. It runs on the schema
 * with resolved names (`SchemaModel`).
 */
export function checkRuledCopies(context: CompileContext, model: SchemaModel): void {
  const elsewhere = waysToEmbedded(model)
  for (const owner of model.types.values()) {
    if (owner.kind !== 'object' && owner.kind !== 'interface') continue
    for (const field of owner.fields.values()) {
      if (!isStored(field)) continue
      const ruled = objectsOf(field.named).filter(hasRules)
      if (ruled.length === 0) continue
      const ways = elsewhere.get(owner) ?? []
      const isEntity = owner.kind === 'object' && owner.source === null && slotOf(owner) === field
      // The entity of a mutation's result is read again, with the rules of its type.
      if (isEntity && ways.length === 0) continue
      report(context, owner, field, ruled, isEntity ? ways : [])
    }
  }
}

function report(
  context: CompileContext,
  owner: ObjectType | InterfaceType,
  field: FieldModel,
  ruled: readonly ObjectType[],
  ways: readonly string[],
): void {
  const named = context.index.get(owner.name)
  const element = named === undefined ? undefined : fieldsOf(named).find(({ name }) => name === field.name)
  const names = listNames(ruled.map(({ name }) => name))
  const [has, its] = ruled.length === 1 ? ['has', 'its'] : ['have', 'their']
  const [where, relation] =
    owner.source === null
      ? [`in the JSON of ${owner.name}`, `Give ${owner.name} a source of its own and make the field a relation`]
      : [
          `in the JSON of ${owner.source.name}`,
          'Make the field a relation (relation: { from, to }, or a foreign key and no JSON column of its name)',
        ]
  const reached = ways.length === 0 ? '' : ` ${owner.name} is more than the result of a mutation: ${listNames(ways)}.`
  context.report.fault(
    'ruled-copy',
    `${owner.name}.${field.name}: ${names} ${has} rules (inject, row_filter), which hold for ${its} rows and cannot hold for a copy ${where}.${reached} ` +
      `${relation}; or give the copy a type of its own, without rules. Of what a mutation answers only one entity is read under them.`,
    element,
    named?.element ?? undefined,
  )
}

/** Is the field read from stored data? Relations read rows of their own, and computed fields are not read. */
function isStored({ read }: FieldModel): boolean {
  return read !== null && read.from !== 'relation'
}

function hasRules({ rowFilter, inject }: ObjectType): boolean {
  return rowFilter !== undefined || inject.length > 0
}

function objectsOf(named: NamedType): readonly ObjectType[] {
  if (named.kind === 'object') return [named]
  return named.kind === 'interface' || named.kind === 'union' ? named.members : []
}

/**
 * Lists the ways to reach objects without a source, except as the declared result of a mutation, whose entity is read
 * again.
 */
function waysToEmbedded(model: SchemaModel): ReadonlyMap<NamedType, readonly string[]> {
  const ways = new Map<NamedType, string[]>()
  const note = (named: NamedType, way: string): void => {
    for (const type of objectsOf(named)) {
      if (type.source === null) ways.set(type, [...(ways.get(type) ?? []), way])
    }
  }
  for (const owner of model.types.values()) {
    if (owner.kind !== 'object' && owner.kind !== 'interface') continue
    for (const field of owner.fields.values()) if (isStored(field)) note(field.named, `${owner.name}.${field.name}`)
  }
  for (const { name, named } of model.queries.values()) note(named, `the query "${name}"`)
  for (const { name, named } of model.mutations.values()) {
    if (named.kind !== 'object') note(named, `the result of "${name}" (${named.name})`)
  }
  return ways
}
