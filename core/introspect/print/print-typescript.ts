import type { AuthoredSchema } from '../../schema/authored.ts'
import { printCall, printValue } from './code.ts'
import { declarationsOf } from './declarations.ts'
import { printEnum, printHierarchy, printScalar, printUnion, printWithFields } from './print-elements.ts'
import { printOperations } from './print-operations.ts'
import { Scope } from './scope.ts'
import { splitTypes, type TypeGroup } from './split-types.ts'
import { unprintable } from './unprintable.ts'

/** A TypeScript module of a printed schema: path and source. */
export interface PrintedFile {
  /** Path relative to the folder of the schema: `schema.ts`, `schema/a-d.ts`. */
  readonly path: string
  readonly text: string
}

export interface PrintOptions {
  /** `true`: prints several files. Default: only if there are more than 30 types. */
  readonly split?: boolean
}

const INDEX = 'schema.ts'
const MOST_TYPES = 30

/** Collections of a schema by the file that has them when the types are split. */
const FILES = {
  enums: 'values',
  custom_scalars: 'values',
  interfaces: 'interfaces',
  unions: 'unions',
  input_types: 'inputs',
}

/**
 * Prints a schema as TypeScript modules with decorators of `svc/authoring`. Loading `schema.ts` gives the same schema
 * again, apart from `$schema` and `version`. If there are several files, they import each other through `schema.ts`.
 * @throws SvcError SVC_USAGE: the schema has a part that cannot be printed, such as a function of the author
 */
export function printTypeScript(schema: AuthoredSchema, options: PrintOptions = {}): readonly PrintedFile[] {
  refuseFunctions(schema)
  const types = schema.types ?? []
  const isSplit = options.split ?? types.length > MOST_TYPES
  const groups = isSplit ? splitTypes(types) : []
  const groupOf = new Map(groups.flatMap(({ name, types: own }) => own.map((type) => [type.name, name] as const)))
  const fileOf = (collection: string, name: string): string => {
    if (!isSplit) return INDEX
    const file = collection === 'types' ? groupOf.get(name) : FILES[collection as keyof typeof FILES]
    return `schema/${file}.ts`
  }
  const taken = new Set(['types', 'interfaces', 'input_types'].flatMap((key) => namesOf(schema, key)))
  const className = ['Api', 'Operations', 'ApiOperations'].find((name) => !taken.has(name)) ?? 'SchemaOperations'
  const all = declarationsOf(schema, fileOf, INDEX, className)
  const scope = new Scope(all, INDEX)
  const parts = isSplit ? [] : printAll(scope, schema, types)
  const last = [...printRest(scope, schema), ...printOperations(scope, schema, className)]
  const files = isSplit ? printFiles(schema, groups, (path) => new Scope(all, path)) : []
  const exports = files.map(({ path }) => `export * from './${path}'`).join('\n')
  // The first mention of a file decides when it is evaluated, and with that the order of the elements.
  return [{ path: INDEX, text: join([exports, scope.printImports(), ...parts, ...last]) }, ...files]
}

function namesOf(schema: AuthoredSchema, key: string): readonly string[] {
  return ((schema[key as keyof AuthoredSchema] ?? []) as readonly { readonly name: string }[]).map(({ name }) => name)
}

function printAll(scope: Scope, schema: AuthoredSchema, types: NonNullable<AuthoredSchema['types']>): string[] {
  return [
    ...printValues(scope, schema),
    ...(schema.interfaces ?? []).map((one) => printWithFields(scope, 'interface_', one)),
    ...types.map((one) => printWithFields(scope, 'type', one)),
    ...(schema.unions ?? []).map((one) => printUnion(scope, one)),
    ...(schema.input_types ?? []).map((one) => printWithFields(scope, 'input', one)),
  ]
}

function printValues(scope: Scope, schema: AuthoredSchema): string[] {
  return [
    ...(schema.custom_scalars ?? []).map((one) => printScalar(scope, one)),
    ...(schema.enums ?? []).map((one) => printEnum(scope, one)),
  ]
}

function printRest(scope: Scope, schema: AuthoredSchema): string[] {
  const { query_defaults: defaults } = schema
  const extra = Object.entries(schema).filter(([key]) => !KNOWN.has(key))
  const keys = [...(defaults === undefined ? [] : [['query_defaults', defaults] as const]), ...extra]
  return [
    ...(schema.hierarchies ?? []).map((one) => printHierarchy(scope, one)),
    ...(keys.length === 0
      ? []
      : [
          printCall(
            scope.use('schemaKeys'),
            [],
            keys.map(([key, value]) => [key, printValue(value)] as const),
          ),
        ]),
  ]
}

const KNOWN: ReadonlySet<string> = new Set([
  ...'$schema version types enums interfaces unions input_types custom_scalars queries mutations'.split(' '),
  ...'subscriptions observers query_defaults hierarchies modules author_functions'.split(' '),
])

function printFiles(
  schema: AuthoredSchema,
  groups: readonly TypeGroup[],
  open: (path: string) => Scope,
): readonly PrintedFile[] {
  const file = (name: string, print: (scope: Scope) => readonly string[]): readonly PrintedFile[] => {
    const scope = open(`schema/${name}.ts`)
    const parts = print(scope)
    return parts.length === 0 ? [] : [{ path: scope.file, text: join([scope.printImports(), ...parts]) }]
  }
  return [
    ...file('values', (scope) => printValues(scope, schema)),
    ...file('interfaces', (scope) => (schema.interfaces ?? []).map((one) => printWithFields(scope, 'interface_', one))),
    ...groups.flatMap(({ name, types }) =>
      file(name, (scope) => types.map((one) => printWithFields(scope, 'type', one))),
    ),
    ...file('unions', (scope) => (schema.unions ?? []).map((one) => printUnion(scope, one))),
    ...file('inputs', (scope) => (schema.input_types ?? []).map((one) => printWithFields(scope, 'input', one))),
  ]
}

function refuseFunctions({ author_functions: functions = [], modules = [] }: AuthoredSchema): void {
  const [first] = functions
  if (first !== undefined) throw unprintable(`The ${first.kind} ${first.name}`, 'it is a function of the author')
  if (modules.length > 0) throw unprintable('The schema', `it has a module of the author, ${modules[0]!.path}`)
}

function join(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
