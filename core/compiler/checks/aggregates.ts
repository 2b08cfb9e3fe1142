import { toWireName } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import { aggregateType, isGroupKey } from '../../schema/aggregate-type.ts'
import type { FieldFunction } from '../../schema/aggregates-of.ts'
import type { AuthoredAggregate, AuthoredInterface, AuthoredQuery, AuthoredType } from '../../schema/authored.ts'
import { periodName, periodsOf } from '../../schema/group-keys.ts'
import type { FieldModel, InterfaceType, ObjectType, SchemaModel } from '../../schema/model.ts'
import { isListRef, namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'

const WORDS: Readonly<Record<keyof AuthoredAggregate, readonly [of: FieldFunction | null, can: string]>> = {
  group_by: [null, 'rows cannot be grouped by it'],
  count_distinct: ['countDistinct', 'its different values cannot be counted'],
  sum: ['sum', 'it cannot be added up'],
  avg: ['avg', 'it has no average'],
  min: ['min', 'it has no least value'],
  max: ['max', 'it has no greatest value'],
}

/**
 * Checks that the fields in the option `aggregate` of a type exist and support the aggregate function. It runs on the
 * schema with resolved names (`SchemaModel`), which contains where each field is read from.
 */
export function checkAggregates(context: CompileContext, model: SchemaModel): void {
  for (const owner of [...(context.schema.types ?? []), ...(context.schema.interfaces ?? [])]) {
    const linked = model.types.get(owner.name)
    if (linked?.kind === 'object' || linked?.kind === 'interface') checkFieldNames(context, owner, linked)
  }
  for (const type of countedElements(context)) {
    const linked = model.types.get(type.name)
    const isRows = linked?.kind === 'object' || linked?.kind === 'interface'
    if (!isRows || typeof type.aggregate !== 'object') continue
    for (const key of Object.keys(WORDS) as (keyof AuthoredAggregate)[]) {
      for (const name of type.aggregate[key] ?? []) checkField(context, type, key, name, [...linked.fields.values()])
    }
  }
}

/** Checks the names of aggregates over related rows, which become fields beside the relation. */
function checkFieldNames(
  context: CompileContext,
  owner: AuthoredType | AuthoredInterface,
  { fields }: ObjectType | InterfaceType,
): void {
  for (const { wireName, name, list, read, named } of fields.values()) {
    const isRows = named.kind === 'object' || named.kind === 'interface'
    if (!list || read?.from !== 'relation' || read.across === true || !isRows || named.aggregate === null) continue
    for (const [generated, what] of generatedNames(wireName, name)) {
      const taken = fields.get(generated)
      if (taken === undefined) continue
      context.report.fault(
        'generated-name',
        `${owner.name}: field "${taken.name}" has the name of ${what}. Rename one of them.`,
        owner.fields.find((field) => field.name === taken.name) ?? owner,
        owner,
      )
    }
  }
}

type Counted = AuthoredType | AuthoredInterface

function countedElements({ schema }: CompileContext): readonly Counted[] {
  return [...(schema.types ?? []), ...(schema.interfaces ?? [])]
}

function checkField(
  context: CompileContext,
  type: Counted,
  key: keyof AuthoredAggregate,
  name: string,
  fields: readonly FieldModel[],
): void {
  const [of, cannot] = WORDS[key]
  const can = (field: FieldModel): boolean => (of === null ? isGroupKey(field) : aggregateType(of, field) !== null)
  const names = fields.filter(can).map((field) => field.name)
  const known = names.length === 0 ? ' No field of it can.' : ` Fields that can: ${listNames(names, 40)}.`
  const own = fields.find(({ wireName }) => wireName === toWireName(name))
  const field = own ?? (of === null ? fieldOfPeriod(fields, toWireName(name)) : undefined)
  const label = `${labelOf(context, type)} "${type.name}": aggregate.${key}`
  const fault = (message: string): void => context.report.fault('aggregate', message, type)
  if (field === undefined) fault(`${label} names "${name}", which is no field.${didYouMean(name, names)}${known}`)
  else if (!can(field)) fault(`${label} names "${name}", and ${cannot}: it is ${typeOf(field)}.${known}`)
}

function labelOf({ schema }: CompileContext, type: Counted): string {
  return schema.interfaces?.some((one) => one === type) === true ? 'Interface' : 'Type'
}

/** Returns the field whose period a name denotes: `created_at` for `created_at_month`. */
function fieldOfPeriod(fields: readonly FieldModel[], name: string): FieldModel | undefined {
  return fields.find((field) => periodsOf(field).some((period) => periodName(field.wireName, period) === name))
}

function typeOf({ named, list, read }: FieldModel): string {
  if (read === null) return 'computed, and not in the database'
  if (read.from === 'relation') return `a relation to ${named.name}`
  return list ? `a list of ${named.name}` : `of the type ${named.name}`
}

/** Generated arguments of the grouped query. Declared arguments must have other names. */
const GROUP_ARGUMENTS = ['groupBy', 'having', 'orderBy', 'limit', 'offset']

/**
 * Checks that types with the option `aggregate` have a view or table, and that the names generated for aggregate
 * queries are not used otherwise. It runs before names in the schema are resolved.
 */
export function checkAggregateNames(context: CompileContext): void {
  const { schema, report, typeSources } = context
  const offering = new Set<string>()
  for (const type of countedElements(context)) {
    if (!hasAggregate(type)) continue
    offering.add(type.name)
    const own = typeSources.get(type.name)
    if (own !== undefined && own.source === null && !own.missing) {
      report.fault(
        'aggregate',
        `${labelOf(context, type)} "${type.name}" has aggregate and no view or table whose rows could be counted. Set sql_source, or drop aggregate.`,
        type,
      )
    }
  }
  const byName = new Map((schema.queries ?? []).map((query) => [toWireName(query.name), query]))
  for (const query of schema.queries ?? []) checkQuery(context, query, offering, byName)
}

function hasAggregate({ aggregate }: Counted): boolean {
  return aggregate !== undefined && aggregate !== false
}

/** Describes the element of each generated name. */
function generatedRoots(
  offering: ReadonlySet<string>,
  name: string,
  type: string,
): readonly (readonly [string, string])[] {
  const ref = parseTypeRef(type)
  if (ref === null || !isListRef(ref) || !offering.has(namedTypeOf(ref).name)) return []
  return generatedNames(toWireName(name), name)
}

function generatedNames(wireName: string, name: string): readonly (readonly [string, string])[] {
  return [
    [`${wireName}Aggregate`, `the generated numbers about "${name}"`],
    [`${wireName}Groups`, `the generated groups of "${name}"`],
  ]
}

function checkQuery(
  { report }: CompileContext,
  query: AuthoredQuery,
  offering: ReadonlySet<string>,
  byName: ReadonlyMap<string, AuthoredQuery>,
): void {
  const generated = generatedRoots(offering, query.name, query.type)
  if (query.aggregate === true && generated.length === 0) {
    const ref = parseTypeRef(query.type)
    const name = ref === null ? query.type : namedTypeOf(ref).name
    const why = ref !== null && isListRef(ref) ? `Set aggregate on the type ${name}.` : 'It belongs to lists. Drop it.'
    report.fault(
      'aggregate',
      `Query "${query.name}" has aggregate, and there are no numbers about ${query.type}. ${why}`,
      query,
    )
  }
  if (generated.length === 0 || query.aggregate === false) return
  for (const [name, what] of generated) {
    const other = byName.get(name)
    if (other === undefined) continue
    report.fault(
      'generated-name',
      `Query "${other.name}" has the name of ${what}. Rename it, or set aggregate: false on "${query.name}".`,
      other,
    )
  }
  for (const argument of query.arguments ?? []) {
    if (!GROUP_ARGUMENTS.includes(toWireName(argument.name))) continue
    report.fault(
      'argument-clash',
      `Query "${query.name}": the argument "${argument.name}" is generated for the groups of its rows. Rename it, or set aggregate: false on the query.`,
      query,
    )
  }
}
