import {
  type AuthoredField,
  type AuthoredQuery,
  type AuthoredSchema,
  type AuthoredType,
  defineKeyCheck,
  type KeyCheckContext,
  type SourceLocation,
} from '../../core/doors/command.ts'
import { toWireName, typeRefs } from '../../core/doors/front.ts'
import { listNames } from '../../core/doors/plugin.ts'

/** The parameter of a columnar query that selects its columns. */
const COLUMNS = 'columns'

/** Options that only fronts with documents, pages or caches can keep. */
const QUERY_OPTIONS = [
  'relay',
  'aggregate',
  'type_column',
  'cache_ttl',
  'cache',
  'additional_views',
  'id_arg',
  'rest_path',
  'rest_method',
] as const satisfies (keyof AuthoredQuery)[]
const TYPE_OPTIONS = [
  'relay',
  'aggregate',
  'embedded',
  'is_error',
  'implements',
  'key_fields',
  'keys',
  'resolvable',
  'extends',
  'shareable',
  'inaccessible',
  'tags',
  'interface_object',
  'directives',
] as const satisfies (keyof AuthoredType)[]

/**
 * Compile check of queries and types with `dataplane: arrow`: their rows are flat, and no other query or field returns
 * these types (docs/plugins/arrow.md).
 */
export default defineKeyCheck((context) => {
  const { schema, fault } = context
  for (const query of schema.queries ?? []) {
    if (isColumnar(query))
      for (const problem of problemsOfQuery(context, query))
        fault('dataplane', `Query "${query.name}" is columnar (dataplane: arrow): ${problem}`, query)
  }
  for (const type of schema.types ?? []) {
    if (!isColumnar(type)) continue
    for (const { problem, at } of problemsOfType(context, type))
      fault('dataplane', `Type "${type.name}" is columnar (dataplane: arrow): ${problem}`, at, type)
    for (const { what, at } of waysTo(schema, type.name))
      fault(
        'dataplane',
        `${what} gives ${type.name}, which is columnar (dataplane: arrow): only an arrowQuery gives its rows. Make it one, or take the dataplane of ${type.name} out.`,
        at,
      )
  }
})

function problemsOfQuery({ kindOf }: KeyCheckContext, query: AuthoredQuery): readonly string[] {
  const problems: string[] = []
  const ref = typeRefs.parse(query.type)
  const name = ref === null ? '' : typeRefs.namedTypeOf(ref).name
  const kind = kindOf(name)
  const isFlat = ref !== null && typeRefs.isList(ref) && kind === 'object'
  if (kind !== undefined && !isFlat)
    problems.push(`it gives rows of one type, and returns ${query.type}. Declare it as [${name}!]! of a type.`)
  const foreign = QUERY_OPTIONS.filter((key) => query[key] !== undefined)
  const { auto_params: auto } = query
  if (typeof auto === 'object' && auto.total_count === true) problems.push('a stream is not counted. Drop total_count.')
  if (foreign.length > 0)
    problems.push(`${listNames(foreign)} ${isAre(foreign)} of other fronts. Drop ${itThem(foreign)}.`)
  const clash = (query.arguments ?? []).find(({ name }) => toWireName(name) === COLUMNS)
  if (clash !== undefined)
    problems.push(`the argument "${clash.name}" is what clients say the columns with. Rename it.`)
  return problems
}

interface Problem {
  readonly problem: string
  readonly at: { readonly $place?: SourceLocation } | undefined
}

function problemsOfType({ kindOf }: KeyCheckContext, type: AuthoredType): readonly Problem[] {
  const foreign = TYPE_OPTIONS.filter((key) => type[key] !== undefined && type[key] !== false)
  const problems: Problem[] = []
  if (foreign.length > 0)
    problems.push({
      problem: `${listNames(foreign)} ${isAre(foreign)} of other fronts. Drop ${itThem(foreign)}.`,
      at: type,
    })
  for (const field of type.fields) {
    const ref = typeRefs.parse(field.type)
    const kind = ref === null ? undefined : kindOf(typeRefs.namedTypeOf(ref).name)
    if (kind !== 'object' && kind !== 'interface' && kind !== 'union') continue
    problems.push({
      problem: `its rows are flat, and "${field.name}" is an object (${field.type}). Give its columns fields of their own in the view.`,
      at: field,
    })
  }
  return problems
}

interface Way {
  readonly what: string
  readonly at: { readonly $place?: SourceLocation }
}

/** Fields and operations of the other plane that return a type. */
function waysTo(schema: AuthoredSchema, name: string): readonly Way[] {
  const gives = ({ type }: Pick<AuthoredField, 'type'>): boolean => {
    const ref = typeRefs.parse(type)
    return ref !== null && typeRefs.namedTypeOf(ref).name === name
  }
  const fields = [...(schema.types ?? []).filter((type) => !isColumnar(type)), ...(schema.interfaces ?? [])]
  return [
    ...fields.flatMap((owner) =>
      owner.fields.filter(gives).map((field) => ({ what: `The field ${owner.name}.${field.name}`, at: field })),
    ),
    ...(schema.unions ?? [])
      .filter(({ members }) => members.includes(name))
      .map((union) => ({ what: `The union ${union.name}`, at: union })),
    ...(schema.queries ?? [])
      .filter((query) => !isColumnar(query) && gives(query))
      .map((query) => ({ what: `The query "${query.name}"`, at: query })),
    ...(schema.mutations ?? []).filter(gives).map((one) => ({ what: `The mutation "${one.name}"`, at: one })),
    ...(schema.subscriptions ?? [])
      .filter((one) => gives(one) || one.entity_type === name)
      .map((one) => ({ what: `The subscription "${one.name}"`, at: one })),
    ...(schema.hierarchies ?? [])
      .filter(({ type }) => type === name)
      .map((one) => ({ what: `The hierarchy "${one.name}"`, at: one })),
  ]
}

const isColumnar = ({ dataplane }: Pick<AuthoredQuery | AuthoredType, 'dataplane'>): boolean => dataplane === 'arrow'
const isAre = ({ length }: readonly string[]): string => (length === 1 ? 'is' : 'are')
const itThem = ({ length }: readonly string[]): string => (length === 1 ? 'it' : 'them')
