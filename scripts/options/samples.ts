import { readdirSync, readFileSync } from 'node:fs'
import { toWireName } from '../../core/base/util/naming.ts'
import type { SpecOption } from './option.ts'

type Json = Readonly<Record<string, unknown>>

/** A schema in TypeScript and Python, and the schema.json that both give: test/authoring-corpus. */
export interface Sample {
  /** Folder in the corpus. */
  readonly name: string
  /** Paths relative to the repository. */
  readonly typescript: string
  readonly python: string
  readonly json: string
}

/** How an option is written in a language, and a sample that has it. */
export interface Spelling {
  readonly text: string
  /** Path relative to the repository. */
  readonly file: string
}

export interface SampledOption {
  readonly typescript: Spelling
  readonly python: Spelling
}

const ROOT = new URL('../../', import.meta.url)
const CORPUS = 'test/authoring-corpus'

/** Options that no language declares: behaviour of the server, svc.toml, messages. By prefix of the id, or whole id. */
const UNDECLARED =
  /^(?:record|config|pipeline|validation|error|warning|compile)\.(?!decorator$)|^(?:mutation\.serial|auto_params\.inferred|rules\.(?:toml|phases|before-sql|shape)|rule\.(?:type|value))$/

/** Tests whether an authoring language has a form for the option, so that the corpus must show it. */
export function isDeclared({ id }: SpecOption): boolean {
  return !UNDECLARED.test(id)
}

/** Returns the samples of the corpus. The example Chinook is the twin of the sample of its name. */
export function listSamples(): readonly Sample[] {
  return readdirSync(new URL(`${CORPUS}/`, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const own = `${CORPUS}/${name}`
      const twin = name === 'chinook' ? 'examples/chinook' : own
      return { name, typescript: `${twin}/schema.ts`, python: `${own}/schema.py`, json: `${twin}/schema.json` }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Where the elements of schema.json are that an option belongs to. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  schema: [''],
  type: ['types'],
  field: ['types.fields', 'interfaces.fields'],
  interface: ['interfaces'],
  union: ['unions'],
  enum: ['enums'],
  enum_value: ['enums.values'],
  input: ['input_types'],
  input_field: ['input_types.fields'],
  scalar: ['custom_scalars'],
  query: ['queries'],
  auto_params: ['queries.auto_params'],
  mutation: ['mutations'],
  subscription: ['subscriptions'],
  argument: ['queries.arguments', 'mutations.arguments', 'subscriptions.arguments'],
  observer: ['observers'],
}

const types = ['types.fields', 'interfaces.fields', 'input_types.fields', 'queries', 'mutations']
const typed = (pattern: RegExp, paths = types) => ({
  shows: (schema: Json) => paths.some((path) => elementsAt(schema, path).some(({ type }) => pattern.test(`${type}`))),
})
const function_ = (kind: string, typescript: string, python: string) => ({
  shows: (schema: Json) => elementsAt(schema, 'author_functions').some((one) => one.kind === kind),
  typescript,
  python,
})
const decorator = (typescript: string, python: string) => ({
  shows: (_: Json, source: Readonly<Record<'typescript' | 'python', string>>) =>
    source.typescript.includes(typescript) && source.python.includes(python),
  typescript,
  python,
})
const rule = (name: string) => ({ shows: (schema: Json) => hasRule(schema, name) })
const codec = (name: string) => ({
  shows: (schema: Json) => elementsAt(schema, 'custom_scalars').some((one) => 'module' in one),
  typescript: name,
  python: 'module=…, export=…',
})

interface Special {
  readonly shows: (schema: Json, source: Readonly<Record<'typescript' | 'python', string>>) => boolean
  readonly typescript?: string
  readonly python?: string
}

/** Options that are no key of an element. */
const SPECIAL: Readonly<Record<string, Special>> = {
  'mapping.non-null': { ...typed(/^\w+!$/), typescript: 'T', python: 'T' },
  'mapping.nullable': { ...typed(/^\w+$/), typescript: 'nullable(T)', python: 'T | None' },
  'mapping.list': { ...typed(/^\[\w+!\]!$/), typescript: 'list(T)', python: 'list[T]' },
  'mapping.nullable-list': { ...typed(/^\[\w+!\]$/), typescript: 'nullable(list(T))', python: 'list[T] | None' },
  'mapping.input-default': {
    shows: (schema) =>
      elementsAt(schema, 'input_types.fields').some((one) => 'default' in one && /!$/.test(`${one.type}`)),
    typescript: 'default',
    python: 'name: T = default',
  },
  'mapping.query-nullable': { ...typed(/^\w+$/, ['queries']), typescript: 'nullable(T)', python: '-> T | None' },
  'mapping.mutation-non-null': { ...typed(/^\w+!$/, ['mutations']), typescript: 'T', python: '-> T' },
  'mapping.names': {
    shows: (schema) => elementsAt(schema, 'types.fields').some(({ name }) => /_/.test(`${name}`)),
    typescript: 'created_at',
    python: 'created_at',
  },
  'mapping.descriptions': {
    shows: (schema) => elementsAt(schema, 'types').some((one) => 'description' in one),
    typescript: 'description',
    python: 'docstring',
  },
  'mapping.forward-reference': {
    ...decorator('() => list(Book)', 'books: list[Book]'),
    typescript: '() => Post',
    python: "'Post'",
  },
  'mapping.builtin-scalars': { ...typed(/^Decimal!$/), typescript: 'Decimal', python: 'svc.Decimal, Decimal' },
  'mapping.semantic-scalars': { ...typed(/^Email!$/), typescript: 'Email', python: 'svc.Email' },
  'schema.query_defaults': {
    shows: (schema) => 'query_defaults' in schema,
    typescript: 'schemaKeys',
    python: 'svc.schema_keys',
  },
  'query.arguments': { ...keyOf('queries', 'arguments'), typescript: 'args', python: 'parameters' },
  'mutation.arguments': { ...keyOf('mutations', 'arguments'), typescript: 'args', python: 'parameters' },
  'subscription.arguments': { ...keyOf('subscriptions', 'arguments'), typescript: 'args', python: 'parameters' },
  'query.dataplane': { ...keyOf('queries', 'dataplane'), typescript: '@arrowQuery', python: '@svc.arrow_query' },
  'arrow_query.sql_source': {
    shows: (schema) => elementsAt(schema, 'queries').some((one) => 'dataplane' in one && 'sql_source' in one),
    typescript: '@arrowQuery',
    python: '@svc.arrow_query',
  },
  'enum.values': { ...keyOf('enums', 'values'), typescript: 'static members', python: 'members' },
  'enum_value.value': { ...keyOf('enums.values', 'value'), typescript: "DRAFT = 'draft'", python: 'DRAFT = "draft"' },
  'enum_value.description': { ...keyOf('enums.values', 'description'), python: 'svc.enum_value(description=…)' },
  'enum_value.deprecated': { ...keyOf('enums.values', 'deprecated'), python: 'svc.enum_value(deprecated=…)' },
  'interface.fields': { ...keyOf('interfaces', 'fields'), typescript: '@field', python: 'annotations' },
  'scalar.serialize': codec('serialize'),
  'scalar.parse': codec('parse'),
  'scalar.parse_literal': codec('parseLiteral'),
  'error.decorator': decorator('@error', '@svc.error'),
  'access.authenticated': decorator('@authenticated', '@svc.authenticated'),
  'access.requires_scope': decorator('@requiresScope', '@svc.requires_scope'),
  'access.api_key_required': decorator('@apiKeyRequired', '@svc.api_key_required'),
  'access.role': decorator('@role', '@svc.role'),
  'rules.nested': { ...rule('then_rules'), typescript: 'thenRules', python: 'then_rules' },
  'hooks.named': function_('before_mutation', 'beforeMutation', 'svc.before_mutation'),
}

/** Options of these elements are behaviour of functions that a schema declares. */
const FUNCTIONS: Readonly<Record<string, Special>> = {
  middleware: function_('middleware', 'middleware', 'svc.middleware'),
  before_mutation: function_('before_mutation', 'beforeMutation', 'svc.before_mutation'),
  after_mutation: function_('after_mutation', 'afterMutation', 'svc.after_mutation'),
}

function keyOf(path: string, key: string): Special {
  return { shows: (schema) => elementsAt(schema, path).some((one) => Object.hasOwn(one, key)) }
}

/** Returns for each option the first sample that has it, in both languages. An option without a sample has no entry. */
export function sampleOptions(options: readonly SpecOption[]): ReadonlyMap<string, SampledOption> {
  const samples = listSamples().map((sample) => ({
    ...sample,
    schema: JSON.parse(read(sample.json)) as Json,
    source: { typescript: read(sample.typescript), python: read(sample.python) },
  }))
  const found = new Map<string, SampledOption>()
  for (const option of options.filter(isDeclared)) {
    const { id } = option
    const special = specialOf(id)
    const sample = samples.find(({ schema, source }) => special.shows(schema, source))
    if (sample === undefined) continue
    const key = id.slice(id.indexOf('.') + 1)
    found.set(id, {
      typescript: { text: special.typescript ?? toWireName(key), file: sample.typescript },
      python: { text: special.python ?? key, file: sample.python },
    })
  }
  return found
}

function specialOf(id: string): Special {
  const [element = '', key = ''] = id.split('.')
  const special = SPECIAL[id] ?? FUNCTIONS[element]
  if (special !== undefined) return special
  if (element === 'rule') return rule(key)
  const paths = ELEMENTS[element] ?? []
  return { shows: (schema, source) => paths.some((path) => keyOf(path, key).shows(schema, source)) }
}

function elementsAt(schema: Json, path: string): readonly Json[] {
  let level: readonly unknown[] = [schema]
  for (const key of path.split('.').filter((one) => one !== '')) {
    level = level.flatMap((one) => {
      const inner = (one as Json)[key]
      return inner === undefined ? [] : [inner].flat()
    })
  }
  return level.filter((one): one is Json => typeof one === 'object' && one !== null)
}

/** Tests whether a rule of a name is anywhere in the schema. */
function hasRule(value: unknown, name: string, inRules = false): boolean {
  if (Array.isArray(value)) return value.some((one) => hasRule(one, name, inRules) || (inRules && one === name))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => {
    const isRules = inRules || key === 'validate' || key === 'validation_rules'
    return (inRules && key === name) || hasRule(inner, name, isRules)
  })
}

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8')
}
