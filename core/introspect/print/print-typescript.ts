import type { AuthoredSchema } from '../../schema/authored.ts'
import { printCall, printValue } from './code.ts'
import { declarationsOf } from './declarations.ts'
import { type PrintedFile, type PrintOptions, planFiles, topLevelKeys } from './plan-files.ts'
import { printEnum, printHierarchy, printScalar, printUnion, printWithFields } from './print-elements.ts'
import { printOperations } from './print-operations.ts'
import { Scope } from './scope.ts'
import type { TypeGroup } from './split-types.ts'
import { TAKEN_NAMES } from './taken-names.ts'

const INDEX = 'schema.ts'

/**
 * Prints a schema as TypeScript modules with decorators of `svc/authoring`. Loading `schema.ts` gives the same schema
 * again, apart from `$schema` and `version`. If there are several files, they import each other through `schema.ts`.
 * @throws SvcError SVC_USAGE: the schema has a part that cannot be printed, such as a function of the author
 */
export function printTypeScript(schema: AuthoredSchema, options: PrintOptions = {}): readonly PrintedFile[] {
  const { isSplit, groups, fileOf } = planFiles(schema, options.split, (name) =>
    name === null ? INDEX : `schema/${name}.ts`,
  )
  const taken = new Set(['types', 'interfaces', 'input_types'].flatMap((key) => namesOf(schema, key)))
  const className = ['Api', 'Operations', 'ApiOperations'].find((name) => !taken.has(name)) ?? 'SchemaOperations'
  const all = declarationsOf(schema, fileOf, INDEX, new Set([...TAKEN_NAMES, className]))
  const scope = new Scope(all, INDEX)
  const parts = isSplit ? [] : printAll(scope, schema)
  const last = [...printRest(scope, schema), ...printOperations(scope, schema, className)]
  const files = isSplit ? printFiles(schema, groups, (path) => new Scope(all, path)) : []
  const exports = files.map(({ path }) => `export * from './${path}'`).join('\n')
  // The first mention of a file decides when it is evaluated, and with that the order of the elements.
  return [{ path: INDEX, text: join([exports, scope.printImports(), ...parts, ...last]) }, ...files]
}

function namesOf(schema: AuthoredSchema, key: string): readonly string[] {
  return ((schema[key as keyof AuthoredSchema] ?? []) as readonly { readonly name: string }[]).map(({ name }) => name)
}

function printAll(scope: Scope, schema: AuthoredSchema): string[] {
  return [
    ...printValues(scope, schema),
    ...(schema.interfaces ?? []).map((one) => printWithFields(scope, 'interface_', one)),
    ...(schema.types ?? []).map((one) => printWithFields(scope, 'type', one)),
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
  const keys = Object.entries(topLevelKeys(schema))
  const hierarchies = (schema.hierarchies ?? []).map((one) => printHierarchy(scope, one))
  if (keys.length === 0) return hierarchies
  const entries = keys.map(([key, value]) => [key, printValue(value)] as const)
  return [...hierarchies, printCall(scope.use('schemaKeys'), [], entries)]
}

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

function join(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
