import { toWireName } from '../../base/util/naming.ts'
import { AGGREGATE_SUFFIXES } from '../../schema/aggregate-names.ts'
import type { AuthoredSchema } from '../../schema/authored.ts'
import { OPERATOR_NAMES, OPERATORS } from '../../schema/operators/operators.ts'
import { BUILTIN_SCALARS, SEMANTIC_SCALARS } from '../../schema/scalars.ts'
import type { CompileContext } from '../ground/context.ts'

type Element = { readonly name: string; readonly $place?: { file: string; line: number; column: number } }

const NAME = /^[_A-Za-z][_0-9A-Za-z]*$/
const COMBINATORS: ReadonlySet<string> = new Set(['_and', '_or', '_not'])
const TYPE_COLLECTIONS = ['types', 'enums', 'interfaces', 'unions', 'input_types', 'custom_scalars'] as const

/**
 * Reports names that are invalid in GraphQL or reserved, and names that two elements share, either as declared or as in
 * the API.
 */
export function checkNames(context: CompileContext): void {
  const { schema, report } = context
  const types: Element[] = TYPE_COLLECTIONS.flatMap((collection) => (schema[collection] ?? []) as readonly Element[])
  const generated = generatedNames(schema)
  checkList(context, types, 'Type', (name) => name)
  for (const type of types) {
    const origin = generated.get(type.name)
    if (BUILTIN_SCALARS.has(type.name)) {
      report.fault('duplicate-name', `"${type.name}" is a built-in scalar. Choose another name.`, type)
    } else if (origin !== undefined) {
      report.fault('generated-name', `"${type.name}" is the name of ${origin}. Choose another name.`, type)
    }
  }
  for (const type of [...(schema.types ?? []), ...(schema.interfaces ?? []), ...(schema.input_types ?? [])]) {
    checkList(context, type.fields, `${type.name}: field`, toWireName, type)
  }
  for (const type of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    for (const field of type.fields) {
      const wire = toWireName(field.name)
      if (!COMBINATORS.has(wire) && !OPERATOR_NAMES.has(wire)) continue
      report.fault(
        'generated-name',
        `${type.name}: field "${field.name}" has the name of a filter operator. Rename it.`,
        field,
        type,
      )
    }
  }
  for (const { name, values, ...rest } of schema.enums ?? []) {
    checkEnumValues(context, { name, ...rest }, values)
  }
  checkList(context, schema.queries ?? [], 'Query', toWireName)
  checkList(context, schema.mutations ?? [], 'Mutation', toWireName)
  checkList(context, schema.subscriptions ?? [], 'Subscription', toWireName)
  checkList(context, schema.observers ?? [], 'Observer', (name) => name)
  for (const query of schema.queries ?? []) {
    if (toWireName(query.name) !== 'node' || !hasRelay(schema)) continue
    report.fault('generated-name', `Query "${query.name}": "node" is generated, because a type is relay.`, query)
  }
  for (const operation of [...(schema.queries ?? []), ...(schema.mutations ?? []), ...(schema.subscriptions ?? [])]) {
    checkList(context, operation.arguments ?? [], `"${operation.name}": argument`, toWireName, operation)
  }
}

function checkList(
  context: CompileContext,
  elements: readonly Element[],
  label: string,
  wireName: (name: string) => string,
  parent?: Element,
): void {
  const { report } = context
  const seen = new Map<string, string>()
  for (const element of elements) {
    const { name } = element
    if (!NAME.test(name)) {
      report.fault(
        'invalid-name',
        `${label} "${name}" is no name: letters, digits and _ only, and no digit first.`,
        element,
        parent,
      )
      continue
    }
    if (name.startsWith('__')) {
      report.fault(
        'invalid-name',
        `${label} "${name}": names that begin with __ are reserved by GraphQL.`,
        element,
        parent,
      )
      continue
    }
    const wire = wireName(name)
    const other = seen.get(wire)
    if (other === name) report.fault('duplicate-name', `${label} "${name}" is declared twice.`, element, parent)
    else if (other !== undefined) {
      report.fault(
        'duplicate-name',
        `${label} "${name}" and "${other}" are both "${wire}" on the wire. Rename one.`,
        element,
        parent,
      )
    } else seen.set(wire, name)
  }
}

function checkEnumValues(
  context: CompileContext,
  element: Element,
  values: readonly { readonly name: string; readonly value?: string }[],
): void {
  const { report } = context
  checkList(context, values, `${element.name}: value`, (name) => name, element)
  const stored = new Map<string, string>()
  for (const { name, value = name } of values) {
    if (['true', 'false', 'null'].includes(name)) {
      report.fault(
        'invalid-name',
        `${element.name}: value "${name}" is a word of GraphQL. Rename it, and keep "${name}" as its "value".`,
        element,
      )
    }
    const other = stored.get(value)
    if (other !== undefined && other !== name) {
      report.fault(
        'duplicate-name',
        `${element.name}: values "${other}" and "${name}" are both "${value}" in SQL.`,
        element,
      )
    }
    stored.set(value, name)
  }
}

function hasRelay(schema: AuthoredSchema): boolean {
  return (schema.types ?? []).some((type) => type.relay === true)
}

/** Describes the generated element of each name. */
function generatedNames(schema: AuthoredSchema): ReadonlyMap<string, string> {
  const names = new Map<string, string>([
    ['Query', 'the root of all queries'],
    ['Mutation', 'the root of all mutations'],
    ['Subscription', 'the root of all subscriptions'],
    ['OrderDirection', 'the generated enum of sort directions'],
  ])
  if (hasRelay(schema)) {
    names.set('Node', 'the generated interface of relay types')
    names.set('PageInfo', 'the generated page of a connection')
  }
  for (const { name } of [...(schema.types ?? []), ...(schema.interfaces ?? []), ...(schema.unions ?? [])]) {
    names.set(`${name}WhereInput`, `the generated filter of ${name}`)
    names.set(`${name}OrderByInput`, `the generated order of ${name}`)
    names.set(`${name}ListFilter`, `the generated filter of lists of ${name}`)
  }
  for (const { name, relay } of schema.types ?? []) {
    if (relay !== true) continue
    names.set(`${name}Connection`, `the generated connection of ${name}`)
    names.set(`${name}Edge`, `the generated edge of ${name}`)
  }
  for (const { type, auto_params: auto } of schema.queries ?? []) {
    const item = /[_A-Za-z][_0-9A-Za-z]*/.exec(type)?.[0]
    if (item !== undefined && typeof auto === 'object' && auto.total_count === true) {
      names.set(`${item}List`, `the generated page of ${item} with its totalCount`)
    }
  }
  for (const { name, aggregate } of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    if (aggregate === undefined || aggregate === false) continue
    for (const suffix of AGGREGATE_SUFFIXES) names.set(`${name}${suffix}`, `a generated type for numbers about ${name}`)
  }
  for (const scalar of usedSemanticScalars(schema)) {
    if (scalar === 'LTree') names.set('LTreeHierarchyFilter', 'the generated filter of LTree in a hierarchy')
    names.set(`${scalar}TextFilter`, `the generated filter of ${scalar}`)
    for (const { input, scalars } of OPERATORS) {
      if (input !== null && scalars.includes(scalar)) names.set(input.name, `what filters of ${scalar} take`)
    }
  }
  const leaves = [
    ...BUILTIN_SCALARS.keys(),
    ...usedSemanticScalars(schema),
    ...[...(schema.enums ?? []), ...(schema.custom_scalars ?? [])].map((e) => e.name),
  ]
  const counts = (schema.types ?? []).some(({ aggregate }) => aggregate !== undefined && aggregate !== false)
  for (const leaf of leaves) {
    if (counts) names.set(`${leaf}HavingInput`, `the generated condition on groups by a ${leaf}`)
    const base = leaf === 'JSON' ? 'Json' : leaf
    names.set(`${base}Filter`, `the generated filter of ${leaf}`)
    names.set(`${base}ArrayFilter`, `the generated filter of lists of ${leaf}`)
  }
  return names
}

/** Returns the semantic scalars of fields. Filters are generated only for these. */
function usedSemanticScalars(schema: CompileContext['schema']): readonly string[] {
  const used = new Set<string>()
  for (const { fields } of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    for (const { type } of fields) {
      const name = type.replace(/[^_0-9A-Za-z]/g, '')
      if (SEMANTIC_SCALARS.has(name)) used.add(name)
    }
  }
  return [...used]
}
