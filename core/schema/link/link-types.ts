import { toWireName } from '../../base/util/naming.ts'
import { compileScalarCheck } from '../checks/scalar-check.ts'
import type { CompiledInterface, CompiledScalar, CompiledType } from '../compiled.ts'
import type {
  AggregateOptions,
  CustomScalarCodec,
  EnumType,
  InputType,
  InterfaceType,
  ObjectType,
  ScalarType,
  UnionType,
} from '../model.ts'
import { BUILTIN_SCALARS, findScalar, SEMANTIC_SCALARS } from '../scalars.ts'
import type { LinkContext } from './link-context.ts'
import { linkFields, linkInject, linkInputField, linkRoles, NO_RULES } from './link-fields.ts'

/**
 * Default name of the column whose value is the object type of a row, in the view of an interface or union. The option
 * `type_column` changes it.
 */
export const DEFAULT_TYPE_COLUMN = '__typename'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Shell = Mutable<ObjectType> | Mutable<InterfaceType> | Mutable<UnionType> | Mutable<InputType>

const NO_FIELDS: ReadonlyMap<string, never> = new Map<string, never>()

/**
 * First pass of `linkSchema` over the types: creates an object for every type, so that fields can refer to types in any
 * order.
 * @param codecs conversion functions of custom scalars, by name of the scalar
 */
export function declareTypes(context: LinkContext, codecs: ReadonlyMap<string, CustomScalarCodec>): void {
  const { compiled, types } = context
  for (const { name, description, specifiedByUrl } of BUILTIN_SCALARS.values()) {
    types.set(
      name,
      Object.freeze({ kind: 'scalar', name, description, specifiedByUrl, base: name, custom: false, codec: null }),
    )
  }
  for (const { name, description, specifiedByUrl, semantic } of SEMANTIC_SCALARS.values()) {
    const base = semantic?.base ?? name
    types.set(
      name,
      Object.freeze({
        kind: 'scalar',
        name,
        description,
        specifiedByUrl,
        base,
        semantic: name,
        custom: false,
        codec: null,
      }),
    )
  }
  for (const scalar of compiled.custom_scalars) {
    const base = scalar.base_type ?? 'String'
    const semantic = SEMANTIC_SCALARS.get(base)?.semantic
    types.set(
      scalar.name,
      Object.freeze({
        kind: 'scalar',
        name: scalar.name,
        description: scalar.description,
        specifiedByUrl: scalar.specified_by_url,
        base: semantic?.base ?? base,
        semantic: semantic === undefined ? undefined : base,
        custom: true,
        codec: codecs.get(scalar.name) ?? null,
        check: scalarCheck(scalar),
      }),
    )
  }
  for (const element of compiled.enums) types.set(element.name, linkEnum(element))
  for (const type of compiled.types) types.set(type.name, objectShell(context, type))
  for (const { name, description, sql_source, type_column, aggregate } of compiled.interfaces) {
    types.set(name, {
      kind: 'interface',
      name,
      description,
      source: sql_source === undefined ? null : context.source(sql_source),
      typeColumn: type_column ?? DEFAULT_TYPE_COLUMN,
      aggregate: linkAggregate(aggregate),
      fields: NO_FIELDS,
      members: [],
    })
  }
  for (const { name, description, sql_source, type_column } of compiled.unions) {
    types.set(name, {
      kind: 'union',
      name,
      description,
      source: sql_source === undefined ? null : context.source(sql_source),
      typeColumn: type_column ?? DEFAULT_TYPE_COLUMN,
      members: [],
    })
  }
  for (const { name, description, rules = NO_RULES } of compiled.input_types) {
    types.set(name, { kind: 'input', name, description, rules, fields: NO_FIELDS })
  }
}

/** Compiles the rules of a scalar. @returns `undefined`: it has no rules */
function scalarCheck({ rules = NO_RULES, elo_expression, base_type }: CompiledScalar): ScalarType['check'] {
  if (rules.length === 0 && elo_expression === undefined) return undefined
  const base = findScalar(base_type ?? 'String')
  const isNumberText = base?.group === 'number' && base.wire === 'string'
  return compileScalarCheck({ rules, expression: elo_expression, isNumberText })
}

/**
 * Second pass of `linkSchema` over the types: adds fields, members and interfaces to the objects of the first pass, and
 * freezes them.
 */
export function fillTypes(context: LinkContext): void {
  const { compiled } = context
  const members = new Map<string, ObjectType[]>()
  for (const type of compiled.types) {
    const model = context.type(type.name) as Mutable<ObjectType>
    model.fields = linkFields(context, type.fields)
    model.interfaces = Object.freeze((type.implements ?? []).map((name) => context.type(name) as InterfaceType))
    for (const { name } of model.interfaces) {
      const list = members.get(name)
      if (list === undefined) members.set(name, [model])
      else list.push(model)
    }
  }
  for (const { name, fields } of compiled.interfaces as readonly CompiledInterface[]) {
    const model = context.type(name) as Mutable<InterfaceType>
    model.fields = linkFields(context, fields)
    model.members = Object.freeze(members.get(name) ?? [])
  }
  for (const union of compiled.unions) {
    const model = context.type(union.name) as Mutable<UnionType>
    model.members = Object.freeze(union.members.map((name) => context.type(name) as ObjectType))
  }
  for (const { name, fields } of compiled.input_types) {
    const model = context.type(name) as Mutable<InputType>
    model.fields = new Map(fields.map((field) => [field.wire_name, Object.freeze(linkInputField(context, field))]))
  }
  for (const type of context.types.values()) Object.freeze(type as Shell)
}

function linkEnum(element: {
  readonly name: string
  readonly description?: string
  readonly values: readonly { name: string; value?: string; description?: string; deprecated?: string }[]
}): EnumType {
  const values = element.values.map(({ name, value, description, deprecated }) =>
    Object.freeze({ name, value: value ?? name, description, deprecated }),
  )
  return Object.freeze({
    kind: 'enum',
    name: element.name,
    description: element.description,
    values: Object.freeze(values),
    toValue: new Map(values.map(({ name, value }) => [name, value])),
    toName: new Map(values.map(({ name, value }) => [value, name])),
  })
}

function objectShell(context: LinkContext, type: CompiledType): ObjectType {
  const cursor = type.cursor
  return {
    kind: 'object',
    name: type.name,
    description: type.description,
    dataplane: type.dataplane ?? 'graphql',
    source: type.sql_source === undefined ? null : context.source(type.sql_source),
    document: type.jsonb_column ?? null,
    relay: type.relay === true,
    key: type.key === undefined ? null : [type.key].flat(),
    cursor:
      cursor === undefined
        ? null
        : Object.freeze({
            column: cursor.column,
            columnType: cursor.column_type,
            document: cursor.document ?? null,
            tie: cursor.tie ?? null,
            by: cursor.by ?? null,
            digest: cursor.digest === true,
          }),
    interfaces: [],
    requiresRole: linkRoles(type.requires_role),
    isError: type.is_error === true,
    inject: linkInject(type.inject),
    injectReads: new Map(Object.entries(type.inject_reads ?? {})),
    rowFilter: type.row_filter,
    aggregate: linkAggregate(type.aggregate),
    fields: NO_FIELDS,
  }
}

function linkAggregate(given: CompiledType['aggregate']): AggregateOptions | null {
  if (given === undefined || given === false) return null
  if (given === true) return NO_BOUNDS
  const only = (names: readonly string[] | undefined) =>
    names === undefined ? undefined : new Set(names.map(toWireName))
  return Object.freeze({
    groupBy: only(given.group_by),
    countDistinct: only(given.count_distinct),
    sum: only(given.sum),
    avg: only(given.avg),
    min: only(given.min),
    max: only(given.max),
  })
}

const NO_BOUNDS: AggregateOptions = Object.freeze({})
